import { expect, it, test } from 'vitest'
import { personalIn, withoutReferences } from '#src/domain/kernel/personal.ts'
import { withoutReferencesIn } from '#src/domain/kernel/typed-references.ts'

/* Q45: what somebody types as a reference leads to nothing, however often it is shown. */

const bare = `${'a'.repeat(22)}.${'b'.repeat(43)}`
const reference = `personal:${bare}`

test.each([
  reference,
  `${reference}@mail`,
  `of ${reference}, and ${reference}`,
  `personal:${reference}`,
  `personal:personal:${reference}`,
  `${reference}personal:${bare}`,
  `personal:${'c'.repeat(22)}${reference}`,
  `[personal value, not readable here: ${reference}]`,
])('no reference is left of %s', (typed) => {
  const once = withoutReferences(typed)
  expect(personalIn(once)).toEqual([])
  expect(withoutReferences(once)).toBe(once)
  expect(once).toContain(bare)
})

test.each(['personal: a word', 'personal:short.one', `personal:${bare}x`])('%s stays', (text) => {
  expect(withoutReferences(text)).toBe(text)
})

it('reads long runs once', () => {
  const run = 'personal:'.repeat(1_000_000)
  expect(withoutReferences(run)).toBe(run)
  expect(withoutReferences(`${run}${bare}`)).toBe(bare)
})

it('is of all texts and names in JSON, however deep', () => {
  let deep: unknown = { [reference]: [reference, 1, null, { a: `x ${reference}` }] }
  for (let i = 0; i < 200_000; i++) deep = [deep]
  let inner = withoutReferencesIn(deep)
  while (Array.isArray(inner)) inner = inner[0]
  expect(inner).toEqual({ [bare]: [bare, 1, null, { a: `x ${bare}` }] })
  expect(withoutReferencesIn(undefined)).toBeUndefined()
  expect(withoutReferencesIn(reference)).toBe(bare)
})
