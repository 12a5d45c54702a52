import { type Either, left, right } from 'fp-ts/lib/Either.js'
import { v7 as uuid } from 'uuid'
import { errorMessage } from '../async/errors.ts'
import { orThrow } from '../async/unavailable.ts'
import type { Comparer } from '../ports/view-store.ts'
import type { Projection } from '../projections/runtime/projection.ts'
import { type RebuildReport, rebuild } from '../projections/runtime/rebuild.ts'
import { createExaminations, whyHeld } from './proof/check/examine-log.ts'
import { holdViews } from './proof/check/hold-views.ts'
import type { By, Rebuild, RebuildWish } from './rebuild-state.ts'
import { recordEnd, recordRequest, rowsIn } from './record-rebuild.ts'
import type { Sealing } from './sealed-by.ts'
import type { System } from './system.ts'

export interface Rebuilds {
  /** Returns the rebuild under way, or the last one that ended. */
  of(projection: string): Rebuild | undefined
  /** Left: the one under way. It begins once its actor and reason are in the log. Throws `UnavailableError`. */
  start(projection: Projection, wish: RebuildWish): Promise<Either<Rebuild, Rebuild>>
  /** Drops it. Returns false if none is under way and none was left behind. */
  stop(projection: Projection, by: By): Promise<boolean>
  /** Stops the rebuild under way, and waits for that. */
  close(): Promise<void>
}

/** Small, because other requests are answered between two transactions. */
const batchSize = 500

type RebuildSystem = Pick<System, 'eventStore' | 'viewStore' | 'clock' | 'log' | 'execute' | 'proofLog'> &
  Sealing

/** Known rebuilds, by projection. */
type Known = Map<string, Rebuild>

/** A rebuild that is under way. */
interface Current {
  readonly projection: string
  /** Resolves once its actor and reason are in the log. */
  readonly recorded: Promise<void>
  /** Resolves once it has ended, and its result is in the log. */
  readonly running: Promise<void>
  stop(by?: By): Promise<void>
}

/** Rebuilds of this process's views, one at a time. */
export const createRebuilds = (system: RebuildSystem): Rebuilds => {
  const { eventStore, viewStore } = system
  const known: Known = new Map()
  let current: Current | undefined
  const busy = () => (current ? known.get(current.projection) : undefined)

  return {
    of: (projection) => known.get(projection),

    start: async (projection, wish) => {
      const { name } = projection
      const before = busy()
      if (before) return left(before)
      const end = await orThrow(eventStore.head())
      const meanwhile = busy()
      if (meanwhile) return left(meanwhile)
      const last = known.get(name)
      const begun = begunAt(system.clock.now(), name, wish, end)
      current = begin(begun, projection, known, system, () => {
        current = undefined
      })
      const { recorded, running } = current
      try {
        await recorded
      } catch (error) {
        await running.catch(() => {})
        if (last) known.set(name, last)
        else known.delete(name)
        throw error
      }
      return right(begun)
    },

    stop: async (projection, by) => {
      if (current?.projection !== projection.name) return dropLeft(projection, viewStore)
      await current.stop(by)
      return true
    },

    close: async () => {
      await current?.stop()
    },
  }
}

const begunAt = (startedAt: string, projection: string, wish: RebuildWish, end: bigint): Rebuild => ({
  ...{ projection, ...wish, state: 'folding', startedAt, endedAt: null },
  ...{ position: -1n, end, events: 0, differences: null, error: null },
})

/** Records the request, runs the rebuild, and records its end. */
const begin = (
  begun: Rebuild,
  projection: Projection,
  known: Known,
  system: RebuildSystem,
  onEnd: () => void,
): Current => {
  const { name } = projection
  const stopping = new AbortController()
  let stoppedBy: By | undefined
  const cause = uuid()
  const recorded = recordRequest(system, begun, cause)
  const running = recorded
    .then(async () => {
      logState(known.get(name), system.log)
      await run(projection, begun, known, system, stopping.signal)
      await recordEnd(system, known.get(name) ?? begun, cause, stoppedBy)
      change(known, name, { endedAt: system.clock.now() })
      logState(known.get(name), system.log)
    })
    .finally(onEnd)
  known.set(name, begun)
  return {
    projection: name,
    recorded,
    running,
    stop: (by) => {
      stoppedBy = by
      stopping.abort()
      return running
    },
  }
}

/** Resolves however the rebuild ends; `known` has the result. */
const run = async (
  projection: Projection,
  { verify, promote }: RebuildWish,
  known: Known,
  system: RebuildSystem,
  signal: AbortSignal,
): Promise<void> => {
  const { eventStore, viewStore } = system
  const { name } = projection
  let comparer: Comparer | undefined
  signal.addEventListener('abort', () => void comparer?.close(), { once: true })
  try {
    comparer = await viewStore.comparer()
    const examination = await createExaminations(system, signal)(projection.filter)
    const report = await rebuild(projection, {
      ...{ eventStore, viewStore, batchSize, signal, verify, promote, compare: comparer.compare },
      examination,
      onPhase: (state) => change(known, name, { state }),
      onProgress: ({ position, events }) => {
        const before = known.get(name)
        // Each phase counts its events from 0; positions only grow.
        if (before && position > before.position)
          change(known, name, { position, events: Math.max(before.events, events) })
      },
    })
    change(known, name, ended(report))
    const examined = examination.found()
    if (examined?.verdict !== 'different') return
    if (report.held) await holdViews(system, report.held, examined)
    change(known, name, { state: 'failed', error: whyHeld(examined) })
  } catch (error) {
    const end = signal.aborted
      ? ({ state: 'stopped' } as const)
      : ({ state: 'failed', error: errorMessage(error) } as const)
    change(known, name, end)
  } finally {
    await comparer?.close()
  }
}

const change = (known: Known, projection: string, changes: Partial<Rebuild>): void => {
  const before = known.get(projection)
  if (before) known.set(projection, { ...before, ...changes })
}

const logState = (now: Rebuild | undefined, log: RebuildSystem['log']): void => {
  if (now) log.info({ rebuild: inShort(now) }, `rebuild of ${now.projection}: ${now.state}`)
}

/** Drops generations that a killed process left behind. Returns false if there are none. */
const dropLeft = ({ name, version }: Projection, viewStore: RebuildSystem['viewStore']): boolean => {
  const left = viewStore
    .generations()
    .filter((one) => one.projection === name && one.status === 'building' && one.version === version)
    // One of another version is folded by the runner, to replace the live one.
    .filter(() => viewStore.live(name)?.version === version)
  for (const generation of left) viewStore.drop(generation)
  return left.length > 0
}

const ended = ({ position, promoted, comparedAt, differences }: RebuildReport): Partial<Rebuild> => ({
  state: promoted ? 'replaced' : 'different',
  position,
  differences: comparedAt === undefined ? null : differences,
})

/** Without rows: those are in the views. */
const inShort = ({ differences, position, end, ...rest }: Rebuild) => ({
  ...rest,
  position: String(position),
  end: String(end),
  different: rowsIn(differences),
})
