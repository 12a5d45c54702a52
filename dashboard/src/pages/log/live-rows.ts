/** Events that came too many at once to be told: they are asked for when they are looked at. */
export interface LeftOut {
  /** Behind this position, */
  readonly after: string
  /** and up to this one. */
  readonly upTo: string
  readonly events: number
}

/** The newest first: an event, or in the place of each that was left out the step that it belongs to. */
export type LiveRow<Event extends object> = Event | LeftOut

export const isLeftOut = <Event extends object>(row: LiveRow<Event>): row is LeftOut => 'upTo' in row

interface Told {
  readonly data?: unknown
  readonly type?: string
}

/** In the order in which they were told. */
export const rowsTold = <Event extends object>(told: readonly Told[]): readonly LiveRow<Event>[] =>
  told.flatMap(({ data, type }): readonly LiveRow<Event>[] => {
    if (data === undefined) return []
    if (type !== 'left-out') return [data as Event]
    const leftOut = data as LeftOut
    return Array.from({ length: leftOut.events }, () => leftOut)
  })

/** Those that were left out, in their place. */
export const filledIn = <Event extends object>(
  rows: readonly LiveRow<Event>[],
  leftOut: LeftOut,
  events: readonly Event[],
): readonly LiveRow<Event>[] => {
  const first = rows.indexOf(leftOut)
  return first < 0
    ? rows
    : [...rows.slice(0, first), ...events.toReversed(), ...rows.slice(first + leftOut.events)]
}
