/** As far as a tree needs them. */
interface Caused {
  readonly id: string
  readonly metadata: { readonly causationId: string }
}

export interface Branch<Event> {
  readonly event: Event
  readonly effects: readonly Branch<Event>[]
}

/** What began, and what it led to. */
export interface Tree<Event> {
  /** A message's id, or a person's wish, that no event has. */
  readonly cause: string
  readonly effects: readonly Branch<Event>[]
}

/** Causes and effects among events, in their order. Where a cause is not among them its effects stand at the root. */
export const treesOf = <Event extends Caused>(events: readonly Event[]): readonly Tree<Event>[] => {
  const known = new Set(events.map(({ id }) => id))
  const effects = Map.groupBy(events, ({ metadata }) => metadata.causationId)
  const branch = (event: Event, above: ReadonlySet<string>): Branch<Event> => {
    const here = new Set([...above, event.id])
    // An event cannot cause itself, but what comes from elsewhere may say so.
    const own = (effects.get(event.id) ?? []).filter(({ id }) => !here.has(id))
    return { event, effects: own.map((effect) => branch(effect, here)) }
  }
  return [...effects]
    .filter(([cause]) => !known.has(cause))
    .map(([cause, caused]) => ({ cause, effects: caused.map((event) => branch(event, new Set())) }))
}
