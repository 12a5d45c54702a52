import * as fc from 'fast-check'
import type { documentsOf } from '#src/domain/matching/merged/documents.ts'
import type { Rules } from '#src/domain/matching/merged/rules.ts'
import { whyInvalidWorkId } from '#src/domain/matching/work.ts'

/* Components of every kind, with sources, names and values from so small a set that they often meet. */

const source = fc.constantFrom('sierra', 'mets', 'tei', 'calm')
const name = fc.constantFrom('title', 'subjects', '__proto__', 'constructor', '2')
const scalar = fc.constantFrom<unknown>('', 'x', 'y', 0, null)
const value = fc.oneof(
  scalar,
  fc.array(scalar, { maxLength: 3 }),
  fc.constant({}),
  fc.constant({ b: 1, a: 2 }),
)
const fields = fc.array(fc.tuple(name, value), { maxLength: 4 }).map((some) => Object.fromEntries(some))

const work = fc.record(
  {
    id: fc.string({ minLength: 1, maxLength: 3 }).filter((id) => whyInvalidWorkId(id) === undefined),
    source,
    state: fc.constantFrom('visible', 'invisible', 'deleted'),
    title: fc.constantFrom('', 'one', 'other'),
    fields,
  },
  { requiredKeys: ['id', 'source', 'state'] },
)

export const anyComponent: fc.Arbitrary<Parameters<typeof documentsOf>[0]> = fc
  .uniqueArray(work, { selector: ({ id }) => id, minLength: 1, maxLength: 8 })
  .map((members) => ({ component: members.map(({ id }) => id).toSorted()[0]!, members }))

const rule = fc.constantFrom('target', 'first', 'union', 'append')

export const anyRules: fc.Arbitrary<Rules> = fc.record({
  precedence: fc.uniqueArray(source),
  neverTarget: fc.uniqueArray(source, { maxLength: 2 }),
  fields: fc.dictionary(name, rule, { noNullPrototype: true }),
  otherFields: rule,
})
