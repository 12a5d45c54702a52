import { type Either, left, right } from 'fp-ts/lib/Either.js'
import { v7 as uuid } from 'uuid'
import { errorMessage } from '../async/errors.ts'
import { orThrow } from '../async/unavailable.ts'
import type { Comparer } from '../ports/view-store.ts'
import type { Projection } from '../projections/runtime/projection.ts'
import { type RebuildReport, rebuild } from '../projections/runtime/rebuild.ts'
import type { By, Rebuild, RebuildWish } from './rebuild-state.ts'
import { recordEnd, recordRequest, rowsIn } from './record-rebuild.ts'
import type { System } from './system.ts'

export interface Rebuilds {
  /** The one under way, or the last one that ended. */
  of(projection: string): Rebuild | undefined
  /** Left: the one that is under way. It begins once who wants it and why is in the log. Throws `UnavailableError`. */
  start(projection: Projection, wish: RebuildWish): Promise<Either<Rebuild, Rebuild>>
  /** Has it dropped; false where none is under way and none was left behind. */
  stop(projection: Projection, by: By): Promise<boolean>
  /** Stops what is under way, and waits for that. */
  close(): Promise<void>
}

/** Other requests are answered between two transactions: these are small. */
const batchSize = 500

/** Rebuilds of this process's views, one at a time. */
export const createRebuilds = (
  system: Pick<System, 'eventStore' | 'viewStore' | 'clock' | 'log' | 'execute'>,
): Rebuilds => {
  const { eventStore, viewStore, clock, log } = system
  const known = new Map<string, Rebuild>()
  let current: { readonly projection: string; stop(by?: By): Promise<void> } | undefined

  const change = (projection: string, changes: Partial<Rebuild>): void => {
    const before = known.get(projection)
    if (before) known.set(projection, { ...before, ...changes })
  }

  const tell = (projection: string): void => {
    const now = known.get(projection)
    if (now) log.info({ rebuild: inShort(now) }, `rebuild of ${projection}: ${now.state}`)
  }

  const run = async (projection: Projection, wish: RebuildWish, signal: AbortSignal): Promise<void> => {
    const { name } = projection
    let comparer: Comparer | undefined
    signal.addEventListener('abort', () => void comparer?.close(), { once: true })
    try {
      comparer = viewStore.comparer()
      const report = await rebuild(projection, {
        ...{ eventStore, viewStore, batchSize, signal },
        ...{ verify: wish.verify, promote: wish.promote, compare: comparer.compare },
        onPhase: (state) => change(name, { state }),
        onProgress: ({ position, events }) => {
          const before = known.get(name)
          // Each phase counts its events from 0; positions only grow.
          if (before && position > before.position)
            change(name, { position, events: Math.max(before.events, events) })
        },
      })
      change(name, ended(report))
    } catch (error) {
      change(name, signal.aborted ? { state: 'stopped' } : { state: 'failed', error: errorMessage(error) })
    } finally {
      await comparer?.close()
    }
  }

  return {
    of: (projection) => known.get(projection),

    start: async (projection, wish) => {
      const { name } = projection
      const busy = () => (current ? known.get(current.projection) : undefined)
      const before = busy()
      if (before) return left(before)
      const end = await orThrow(eventStore.head())
      const meanwhile = busy()
      if (meanwhile) return left(meanwhile)
      const begun: Rebuild = {
        ...{ projection: name, ...wish, state: 'folding', startedAt: clock.now(), endedAt: null },
        ...{ position: -1n, end, events: 0, differences: null, error: null },
      }
      const last = known.get(name)
      const stopping = new AbortController()
      let stoppedBy: By | undefined
      const cause = uuid()
      const recorded = recordRequest(system, begun, cause)
      const running = recorded
        .then(async () => {
          tell(name)
          await run(projection, wish, stopping.signal)
          await recordEnd(system, known.get(name) ?? begun, cause, stoppedBy)
          change(name, { endedAt: clock.now() })
          tell(name)
        })
        .finally(() => {
          current = undefined
        })
      known.set(name, begun)
      current = {
        projection: name,
        stop: (by) => {
          stoppedBy = by
          stopping.abort()
          return running
        },
      }
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

    stop: async ({ name, version }, by) => {
      if (current?.projection === name) {
        await current.stop(by)
        return true
      }
      // Of a process that was killed. One of another version is folded by the runner, to take the place of the live one.
      const left = viewStore
        .generations()
        .filter((one) => one.projection === name && one.status === 'building' && one.version === version)
        .filter(() => viewStore.live(name)?.version === version)
      for (const generation of left) viewStore.drop(generation)
      return left.length > 0
    },

    close: async () => {
      await current?.stop()
    },
  }
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
