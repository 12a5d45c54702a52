import type * as t from 'io-ts'
import { describe, expect, it } from 'vitest'
import { type Exported, outcomeOf, type Rule } from '#src/domain/kernel/premis.ts'
import { loadModels } from '#src/workflows/models.ts'

/* The mapping of events to PREMIS: nothing is left out, and it names what there is. */

const models = await loadModels()

/** The codecs of a field, in whichever part of a type it is. */
const fieldsOf = (codec: t.Mixed, name: string): readonly t.Mixed[] => {
  const one = codec as unknown as {
    readonly _tag?: string
    readonly props?: Readonly<Record<string, t.Mixed>>
    readonly types?: readonly t.Mixed[]
    readonly type?: t.Mixed
  }
  if (one.props) return one.props[name] ? [one.props[name]] : []
  if (one.types) return one.types.flatMap((part) => fieldsOf(part, name))
  return one._tag === 'RefinementType' && one.type ? fieldsOf(one.type, name) : []
}
const at = (codec: t.Mixed, path: string): readonly t.Mixed[] =>
  path
    .split('.')
    .reduce<readonly t.Mixed[]>((found, name) => found.flatMap((one) => fieldsOf(one, name)), [codec])

/** All fixed texts that a field may have; undefined for one that has none. */
const textsOf = (codec: t.Mixed): readonly string[] | undefined => {
  const { _tag, keys, value, types } = codec as unknown as {
    readonly _tag?: string
    readonly keys?: object
    readonly value?: unknown
    readonly types?: readonly t.Mixed[]
  }
  if (_tag === 'UnionType') return types?.flatMap((one) => textsOf(one) ?? [])
  return _tag === 'LiteralType' ? [String(value)] : keys && Object.keys(keys)
}

const exportedIn = (rule: Rule): readonly Exported[] =>
  rule.kind === 'exported'
    ? [rule]
    : rule.kind === 'not-exported'
      ? []
      : [...Object.values(rule.cases), rule.otherwise].flatMap(exportedIn)

const conditionsIn = (
  rule: Rule,
): readonly { readonly field: string; readonly values: readonly string[] }[] =>
  rule.kind !== 'by'
    ? []
    : [
        { field: rule.field, values: Object.keys(rule.cases) },
        ...[...Object.values(rule.cases), rule.otherwise].flatMap(conditionsIn),
      ]

const mapped = await Promise.all(models.map(async (model) => ({ model, premis: await model.premis?.() })))

it('each workflow says what of it is preservation', () => {
  expect(mapped.filter(({ premis }) => !premis).map(({ model }) => model.name)).toEqual([])
})

const exported = mapped.flatMap(({ model, premis }) =>
  premis?.kind === 'exported' ? [{ model, premis }] : [],
)

describe.each(exported.map(({ model, premis }) => [model.name, model, premis] as const))(
  '%s',
  (_, model, premis) => {
    const rulesOf = (category: string) => {
      const found = premis.mapping[category]
      return found && !('kind' in found) ? found.events : undefined
    }

    it('every category and every event type is mapped, or listed with the reason why it is none (Q64)', () => {
      expect(Object.keys(premis.mapping).sort()).toEqual(
        model.eventSets.map(({ category }) => category).sort(),
      )
      for (const { category, events } of model.eventSets) {
        const rules = rulesOf(category)
        if (rules) expect(Object.keys(rules).sort(), category).toEqual([...events.types].sort())
      }
    })

    it('each field that it names is one of the event', () => {
      for (const { category, events } of model.eventSets)
        for (const [type, rule] of Object.entries(rulesOf(category) ?? {})) {
          const codec = events.specs.get(type)?.codec as t.Mixed
          const named = [
            ...conditionsIn(rule).map(({ field }) => field),
            ...exportedIn(rule).flatMap(({ note = [], time, program, outcome }) => [
              // A batch tells one of its items so: the part of its event that the item's history has.
              ...(type === 'BatchChecked' ? [] : note),
              ...(time ? [time] : []),
              ...(program ? [program] : []),
              ...(typeof outcome === 'object'
                ? [outcome.field, ...(outcome.unless ? [outcome.unless.field] : [])]
                : []),
            ]),
          ]
          expect(
            named.filter((field) => at(codec, field).length === 0),
            `${category} ${type}`,
          ).toEqual([])
        }
    })

    it('each text that such a field may have has an outcome, and each case is one that there is', () => {
      for (const { category, events } of model.eventSets)
        for (const [type, rule] of Object.entries(rulesOf(category) ?? {})) {
          const codec = events.specs.get(type)?.codec as t.Mixed
          for (const { outcome } of exportedIn(rule))
            if (typeof outcome === 'object')
              expect(Object.keys(outcome.as).sort(), type).toEqual(
                at(codec, outcome.field)
                  .flatMap((one) => textsOf(one) ?? [])
                  .sort(),
              )
          for (const { field, values } of conditionsIn(rule)) {
            const known = at(codec, field).flatMap((one) => textsOf(one) ?? [])
            const named = values.filter((value) => value !== 'present' && value !== 'absent')
            expect(known, `${type} ${field}`).toEqual(expect.arrayContaining(named))
          }
        }
    })
  },
)

describe('fixity', () => {
  const decision = exported.find(({ model }) => model.name === 'fixity')?.premis.mapping.fixity
  const rule = decision && 'events' in decision ? decision.events.FixityDecided : undefined

  it.each([
    ['AAAA', 'success', 'success'],
    ['ABAA', 'failure', 'fail'],
    ['A--A', 'unverified', 'warning'],
    // The records agree, and nobody read the bytes: "success" would say more than was done.
    ['nAAA', 'success', 'warning'],
  ])('%s, decided as %s, has the outcome %s', (pattern, outcome, expected) => {
    expect(rule?.kind === 'exported' && outcomeOf(rule, { pattern, outcome })).toBe(expected)
  })
})
