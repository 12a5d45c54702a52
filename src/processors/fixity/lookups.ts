import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { livePosition, whenCaughtUp } from '../../async/caught-up.ts'
import { ifDeleted, orThrow } from '../../async/unavailable.ts'
import { batchDecider } from '../../domain/fixity/batch/decide.ts'
import { batchStream } from '../../domain/fixity/batch/events.ts'
import type { LastObservation } from '../../domain/fixity/commands.ts'
import { decider } from '../../domain/fixity/decide.ts'
import type { LaggingIndex } from '../../domain/fixity/events.ts'
import { atRest, recordColumns } from '../../domain/fixity/intact.ts'
import { type Item, itemStream } from '../../domain/fixity/item.ts'
import type { Word } from '../../domain/fixity/messages.ts'
import { storeDecider } from '../../domain/fixity/store/decide.ts'
import { defaultPolicy, type Policy, storeStream } from '../../domain/fixity/store/events.ts'
import { items as itemsView } from '../../domain/fixity/views.ts'
import { is, narrowRows, row } from '../../domain/kernel/read-views.ts'
import type { RowOf } from '../../domain/kernel/view.ts'
import type { Clock } from '../../ports/clock.ts'
import type { EventStore } from '../../ports/event-store.ts'
import type { ViewStore } from '../../ports/view-store.ts'
import type { StreamStates } from '../runtime/stream-states.ts'
import type { BatchReading } from './batch-reports.ts'
import type { FixityLookups, OwnRecord } from './processor.ts'

/** Longest time that an observation waits for our own index; then it is decided with the index lagging. */
const patienceMillis = 2000

interface LookupDependencies {
  readonly states: StreamStates
  readonly eventStore: Pick<EventStore, 'head'>
  readonly viewStore: ViewStore
  readonly clock: Clock
}

export const fixityLookups = ({
  states,
  eventStore,
  viewStore,
  clock,
}: LookupDependencies): FixityLookups => {
  const reached = () => livePosition(viewStore, 'fixity')

  // A deleted stream is no failure here: the command that is sent to it fails, and its message becomes a dead letter.
  const policyOf = (store: string): Promise<Policy> =>
    pipe(
      () => states.load(storeDecider, storeStream(store)),
      TE.map(({ state }) => state?.policy ?? defaultPolicy),
      ifDeleted(defaultPolicy),
      orThrow,
    )

  const lastPosition = (item: Item): Promise<bigint> =>
    pipe(
      () => states.load(decider, itemStream(item)),
      TE.map(({ position }) => position),
      ifDeleted(-1n),
      orThrow,
    )

  const loadBatch = (id: string) =>
    pipe(
      () => states.load(batchDecider, batchStream(id)),
      TE.map(({ state, position }) => ({ state, position })),
      ifDeleted({ state: undefined, position: -1n }),
      orThrow,
    )

  const head = () => orThrow(eventStore.head())

  const caughtUp = (position: bigint): Promise<bigint> =>
    whenCaughtUp(position, { reached, clock, patienceMillis })

  return {
    policies: async (stores) =>
      new Map(await Promise.all([...stores].map(async (store) => [store, await policyOf(store)] as const))),
    ownRecords: async (items, mayBeInBatch) => {
      if (items.length === 0) return []
      const needed = await Promise.all(items.map(lastPosition))
      // Findings of batches are in no item's stream: the views have them once they have caught up with the log.
      const mayHaveOne = mayBeInBatch && needed.some((position) => position >= 0n)
      const wanted = mayHaveOne ? [...needed, await head()] : needed
      const indexed = await caughtUp(highest(wanted))
      return items.map((item, i): OwnRecord => {
        // Without a stream there is nothing to index.
        if (needed[i] === -1n) return { index: { status: 'absent' } }
        if (needed[i]! <= indexed) return ownRecord(row(viewStore, itemsView, ...keyOf(item)))
        const index: LaggingIndex = {
          status: 'lagging',
          behind: String(indexed),
          needed: String(needed[i]),
        }
        return { index }
      })
    },
    batch: async (id, store, paths): Promise<BatchReading> => {
      const { state, position } = await loadBatch(id)
      if (state?.status !== 'open' || state.store !== store) return nothingClaimed
      await caughtUp(position)
      const among = (some: readonly string[]) =>
        [is('store', store), { column: 'path', is: 'in', value: some }] as const
      const found = narrowRows(viewStore, itemsView, recordColumns, { where: [...among(paths), ...atRest] })
      const resting = new Map(found.map((row) => [row.path, row]))
      const others = paths.filter((path) => !resting.has(path))
      // Mostly there are none.
      const moved =
        others.length > 0
          ? narrowRows(viewStore, itemsView, ['path', 'revision'], { where: among(others) })
          : []
      const revisions = new Map(moved.map(({ path, revision }) => [path, revision]))
      return { claimed: state.items, resting, revisions }
    },
  }
}

const nothingClaimed: BatchReading = { claimed: undefined, resting: new Map(), revisions: new Map() }

const keyOf = ({ store, path }: Item) => [is('store', store), is('path', path)] as const

const ownRecord = (known: RowOf<typeof itemsView> | undefined): OwnRecord => {
  const indexed = known?.indexed
  const index: Word = indexed
    ? { status: 'recorded', ...indexed, checksums: [...indexed.checksums] }
    : { status: 'absent' }
  const observedAt = known?.lastChecked
  if (!observedAt) return { index }
  const lastObservation: LastObservation = { observedAt, sawFile: known.seenAsFile === 1 }
  return { index, lastObservation }
}

const highest = (positions: readonly bigint[]): bigint =>
  positions.reduce((top, position) => (position > top ? position : top), -1n)
