import { canonicalJson } from '../canonical-json.ts'
import type { Fields } from '../fields.ts'
import type { FieldRule, Rules } from './rules.ts'
import type { MergeWork } from './target.ts'

interface Combined {
  readonly title?: string
  readonly fields: Fields
}

/**
 * Combines descriptions in the order of precedence, the target first. A value that is empty (null, '', [] or {}) is left
 * out under every rule. Names are whatever sources send, so none is looked up on a plain object.
 */
export const combine = (works: readonly MergeWork[], rules: Rules): Combined => {
  const named = new Map(Object.entries(rules.fields))
  const ruleOf = (name: string): FieldRule => named.get(name) ?? rules.otherFields
  const title = titleOf(works, ruleOf('title'))
  return { ...(title !== undefined && { title }), fields: fieldsOf(works, ruleOf) }
}

/** A work has one title: what would join several takes the first. */
const titleOf = (works: readonly MergeWork[], rule: FieldRule): string | undefined =>
  (rule === 'target' ? works.slice(0, 1) : works).find(({ title }) => !isEmpty(title))?.title

const fieldsOf = (works: readonly MergeWork[], ruleOf: (name: string) => FieldRule): Fields => {
  const valuesOf = new Map<string, unknown[]>()
  for (const [rank, { fields = {} }] of works.entries())
    for (const [name, value] of Object.entries(fields)) {
      if (isEmpty(value) || (rank > 0 && ruleOf(name) === 'target')) continue
      const values = valuesOf.get(name)
      if (values) values.push(value)
      else valuesOf.set(name, [value])
    }
  return Object.fromEntries([...valuesOf].map(([name, values]) => [name, joined[ruleOf(name)](values)]))
}

/** Combines the values that are not empty. What joins several makes an array, also of a single value. */
const joined: Record<FieldRule, (values: readonly unknown[]) => unknown> = {
  target: ([value]) => value,
  first: ([value]) => value,
  union: (values) => distinct(values.flat()),
  append: (values) => values.flat(),
}

/** Each value at its first place. */
const distinct = (values: readonly unknown[]): readonly unknown[] => [
  ...new Map(values.map((value) => [canonicalJson(value), value])).values(),
]

const isEmpty = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === '' ||
  (typeof value === 'object' && Object.keys(value).length === 0)
