import fc from 'fast-check'
import type { Fact } from '#src/domain/matching/graph/component.ts'

/** Few ids, so that links meet; some of them long and not of ASCII, so that a snapshot has to count well. */
const ids = ['a', 'b', 'c', 'd', 'e', 'f', 'é', '𝄞', 'a longer id, with spaces', 'h', 'i', 'j']
const id = fc.constantFrom(...ids)

export const fact: fc.Arbitrary<Fact> = fc.record({
  id,
  revision: fc.nat(9),
  deleted: fc.oneof(
    { weight: 3, arbitrary: fc.constant(false) },
    { weight: 1, arbitrary: fc.constant(true) },
  ),
  links: fc.array(id, { maxLength: 3 }),
})

/** What happens to a graph, one thing after the other. */
export type Step =
  | { readonly kind: 'fact'; readonly fact: Fact }
  | { readonly kind: 'touch'; readonly id: string }
  | { readonly kind: 'ask'; readonly id: string }
  | { readonly kind: 'take' }
  | { readonly kind: 'restart' }

export const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    { weight: 10, arbitrary: fact.map((fact): Step => ({ kind: 'fact', fact })) },
    { weight: 1, arbitrary: id.map((id): Step => ({ kind: 'touch', id })) },
    { weight: 1, arbitrary: id.map((id): Step => ({ kind: 'ask', id })) },
    { weight: 3, arbitrary: fc.constant<Step>({ kind: 'take' }) },
    { weight: 1, arbitrary: fc.constant<Step>({ kind: 'restart' }) },
  ),
  { maxLength: 60 },
)
