import { orThrow } from '../async/unavailable.ts'
import type { Condition } from '../domain/kernel/view.ts'
import type { PersonalValues } from '../ports/personal-values.ts'
import type { ViewStore } from '../ports/view-store.ts'
import type { System } from './system.ts'

/*
 * A question for a value finds rows that have it, and rows that have its reference. Where the archive keeps no values by reference,
 * nothing is asked for.
 */

type Finding = Pick<System, 'personal'> & { readonly config: Pick<System['config'], 'personalValues'> }

/** The reference of each text that has one. Throws `UnavailableError`. */
export const referencesOf = async (
  { config, personal }: Finding,
  texts: readonly unknown[],
): Promise<ReadonlyMap<unknown, string>> =>
  config.personalValues === 'off' ? new Map() : known(personal, texts)

const known = async (
  personal: Pick<PersonalValues, 'referenceOf'>,
  texts: readonly unknown[],
): Promise<ReadonlyMap<unknown, string>> => {
  const found = new Map<unknown, string>()
  for (const text of new Set(texts)) {
    const reference =
      typeof text === 'string' && text !== ''
        ? await orThrow(personal.referenceOf(text), 'personal values')
        : undefined
    if (reference !== undefined) found.set(text, reference)
  }
  return found
}

/** The same conditions, which a reference meets as well. */
export const meetingReferences = <Column extends string>(
  where: readonly Condition<Column>[],
  references: ReadonlyMap<unknown, string>,
): readonly Condition<Column>[] =>
  references.size === 0
    ? where
    : where.map((condition) => {
        const reference = condition.is === '=' ? references.get(condition.value) : undefined
        return reference === undefined
          ? condition
          : { column: condition.column, is: 'in', value: [String(condition.value), reference] }
      })

/** Views whose queries for a value find its reference as well. */
export const seeingReferences = (views: ViewStore, references: ReadonlyMap<unknown, string>): ViewStore =>
  references.size === 0
    ? views
    : {
        ...views,
        query: (view, query, ...of) =>
          views.query(view, { ...query, where: meetingReferences(query.where ?? [], references) }, ...of),
        tally: (view, tally, ...of) =>
          views.tally(view, { ...tally, where: meetingReferences(tally.where ?? [], references) }, ...of),
      }
