import type { TermOf } from '@fonds/premis'

/*
 * How the events of a workflow are exported as PREMIS, as data: the table in docs/premis.md is made from it, and exports follow it.
 * PREMIS names kinds of action by nouns; an event of ours says what happened, in the past tense. Both are exported.
 */

/** A word of the Library of Congress' list of event types; one of our own where that list has none; the word in a field. */
export type EventTypeWord = TermOf<'eventType'> | { readonly own: string } | { readonly field: string }

export type OutcomeWord = TermOf<'eventOutcome'>

/** The outcome by the text of a field of the event's data. A text that is not listed has none. */
export interface OutcomeBy {
  readonly field: string
  readonly as: Readonly<Record<string, OutcomeWord>>
  /** Takes precedence where a field begins so: a success in name that proves less. */
  readonly unless?: { readonly field: string; readonly begins: string; readonly outcome: OutcomeWord }
}

/** An event of PREMIS. Fields are paths into the event's data: `differences.missing`. */
export interface Exported {
  readonly kind: 'exported'
  readonly type: EventTypeWord
  readonly outcome?: OutcomeWord | OutcomeBy
  /** Fields with the note on the outcome. */
  readonly note?: readonly string[]
  /** Field with the time of the action; absent: `at`, or else when the log recorded it. */
  readonly time?: string
  /** Field with a program that did it: `{name, version}`. */
  readonly program?: string
}

/** No preservation event: it says nothing of an object, or another event says it. */
export interface NotExported {
  readonly kind: 'not-exported'
  /** A clause without a full stop. */
  readonly because: string
}

/** Depends on the text of a field; on whether there is one, where `present` or `absent` is listed. */
export interface ByField {
  readonly kind: 'by'
  readonly field: string
  readonly cases: Readonly<Record<string, Rule>>
  readonly otherwise: Rule
}

export type Rule = Exported | NotExported | ByField

/** The things that the streams of a category are about. */
export interface ThingKind {
  readonly category: 'file' | 'intellectualEntity'
  /** The type of its identifier, whose value is the id of the stream. */
  readonly type: string
  /** For people: `the item`. */
  readonly says: string
}

/** Category → the kind of its things, and a rule for each event type. A category as a whole may be left out. */
export type PremisMapping = Readonly<
  Record<string, NotExported | { readonly thing: ThingKind; readonly events: Readonly<Record<string, Rule>> }>
>

export const exported = (type: EventTypeWord, more: Omit<Exported, 'kind' | 'type'> = {}): Exported => ({
  kind: 'exported',
  type,
  ...more,
})
export const notExported = (because: string): NotExported => ({ kind: 'not-exported', because })
export const byField = (field: string, cases: ByField['cases'], otherwise: Rule): ByField => ({
  kind: 'by',
  field,
  cases,
  otherwise,
})

/** Claims of a task, whose first event has another name in each workflow. */
export const claimsNotExported = (claimed: string): Readonly<Record<string, NotExported>> =>
  Object.fromEntries(
    [claimed, 'ClaimExtended', 'ClaimReleased', 'ClaimExpired'].map((type) => [type, claims]),
  )
const claims = notExported('who has the work, and nothing of the object')

/** Returns the value at a path. */
export const fieldOf = (data: unknown, path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>(
      (value, name) =>
        typeof value === 'object' && value !== null
          ? (value as Readonly<Record<string, unknown>>)[name]
          : undefined,
      data,
    )

/** Returns the rule for an event with this data, cases decided; undefined if it is not exported. */
export const decided = (rule: Rule, data: unknown): Exported | undefined => {
  if (rule.kind === 'not-exported') return undefined
  if (rule.kind === 'exported') return rule
  const value = fieldOf(data, rule.field)
  const name =
    typeof value === 'string' && Object.hasOwn(rule.cases, value)
      ? value
      : value === undefined
        ? 'absent'
        : 'present'
  return decided(rule.cases[name] ?? rule.otherwise, data)
}

export const outcomeOf = ({ outcome }: Exported, data: unknown): OutcomeWord | undefined => {
  if (outcome === undefined || typeof outcome === 'string') return outcome
  const { field, as, unless } = outcome
  const exception = unless && fieldOf(data, unless.field)
  if (unless && typeof exception === 'string' && exception.startsWith(unless.begins)) return unless.outcome
  const value = fieldOf(data, field)
  return typeof value === 'string' && Object.hasOwn(as, value) ? as[value] : undefined
}

/** Returns the fields as one text: texts as they are, numbers behind their names. */
export const noteOf = ({ note = [] }: Exported, data: unknown): string | undefined => {
  const parts = note.flatMap((path) => {
    const value = fieldOf(data, path)
    if (typeof value === 'string') return value === '' ? [] : [value]
    return typeof value === 'number' ? [`${path.split('.').at(-1)}: ${value}`] : []
  })
  return parts.length === 0 ? undefined : parts.join('; ')
}
