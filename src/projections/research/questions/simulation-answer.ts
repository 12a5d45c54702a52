import * as t from 'io-ts'

const counts = <Name extends string>(...all: readonly Name[]) =>
  t.readonly(t.type(Object.fromEntries(all.map((name) => [name, t.number])) as Record<Name, t.NumberC>))

/** Outcomes of leases; `domain/research/simulation` describes each. */
const Fates = t.readonly(
  t.type({
    items: counts('taken', 'lapsed', 'open', 'unknown'),
    leases: counts('ended', 'cutShort', 'abandoned', 'running'),
    lateReports: t.number,
    idleSeconds: t.number,
  }),
)
export type Fates = t.TypeOf<typeof Fates>

const NextItems = t.readonly(
  t.intersection([
    counts('items', 'pairs', 'waitingPairs', 'waitingClips'),
    /** The first items, with the number of their clips. */
    t.type({ upcoming: t.readonlyArray(t.type({ episode: t.string, clips: t.number })) }),
    t.partial({ until: t.string }),
  ]),
)
export type NextItems = t.TypeOf<typeof NextItems>

const numberOrNull = t.union([t.number, t.null])

/** Effect of other settings on the past and on the next items (X14). Times are ISO 8601 UTC. */
export const SimulationAnswer = t.readonly(
  t.type({
    at: t.string,
    since: t.string,
    /** Settings that would change; null: not set. */
    settings: t.readonlyArray(t.type({ name: t.string, present: numberOrNull, proposed: numberOrNull })),
    past: t.type({
      /** Leases granted since, and how many of them, the latest, were read. */
      granted: t.number,
      lookedAt: t.number,
      /** Under the settings that each lease was granted by. */
      actual: Fates,
      proposed: Fates,
    }),
    next: t.type({ present: NextItems, proposed: NextItems }),
    /** Sentences: which values are estimates, and which cannot be known. */
    notes: t.readonlyArray(t.string),
  }),
)
export type SimulationAnswer = t.TypeOf<typeof SimulationAnswer>
