import { orThrow, UnavailableError } from '../../async/unavailable.ts'
import { decider } from '../../domain/indexing/decide.ts'
import type { DataOf } from '../../domain/indexing/events.ts'
import { category } from '../../domain/indexing/file.ts'
import { postEvents, postsCategory } from '../../domain/indexing/posts/events.ts'
import { idOf } from '../../domain/kernel/event.ts'
import type { IndexChange, IndexPlace, WrittenRun } from '../../ports/capture-index.ts'
import type { Subscription } from '../runtime/leader-subscription.ts'
import type { StreamStates } from '../runtime/stream-states.ts'
import { decidedBy, postedChange } from './posted-changes.ts'

/** Where no log ends. */
const never = 2n ** 63n

export interface PublisherDependencies {
  readonly states: StreamStates
  /** Of a file whose lines lie in a file of their own: those of this digest, as a run; undefined where it has others, or none. */
  readonly runOfLines: (file: string, digest: string) => Promise<WrittenRun | undefined>
  /** Hands changes over to the aggregator, for good. */
  readonly add: (changes: readonly IndexChange[]) => Promise<void>
  /** Has a file indexed again whose lines are not those that were recorded. */
  readonly refuse: (
    refused: { file: string; digest: string; reason: string },
    position: bigint,
  ) => Promise<void>
  /** Of the index and of what waits for it. */
  readonly indexPlace: () => Promise<IndexPlace>
  /** Of the index alone. */
  readonly takenPlace: () => Promise<IndexPlace>
}

/**
 * Only what was decided reaches the index: indexed and withdrawn files, and posts, in the order of the log. Done again, it changes nothing:
 * so it begins where the index is, also where that was put back or lost.
 */
export const publisher = ({
  states,
  runOfLines,
  add,
  refuse,
  indexPlace,
  takenPlace,
}: PublisherDependencies): Subscription => ({
  name: 'indexing-publisher',
  filter: {
    categories: [category, postsCategory],
    types: ['FileIndexed', 'FileWithdrawn', ...postEvents.types],
  },
  batchSize: 1000,
  isSink: true,
  ownCheckpoint: {
    load: () => reachedIn(indexPlace),
    // What `handle` has handed over is on disk.
    reached: () => never,
    end: async () => {},
  },
  handle: async ({ events }, isLeader) => {
    const changes: IndexChange[] = []
    for (const event of events) {
      if (!isLeader()) return false
      const posted = postedChange(event)
      if (posted) {
        changes.push(posted)
        continue
      }
      const { type, stream, position, data } = event
      const file = idOf(stream)
      if (type === 'FileWithdrawn') {
        changes.push({ kind: 'withdraw', file, ...decidedBy(event) })
        continue
      }
      const { run: place, lines, digest } = data as DataOf<'FileIndexed'>
      const run = place ? { ...place, lines, sha256: digest } : await runOfLines(file, digest)
      if (run) {
        changes.push({ kind: 'publish', file, run, ...decidedBy(event) })
        continue
      }
      // Where it was indexed again or withdrawn since, a later event says what holds.
      const { state } = await orThrow(() => states.load(decider, stream))
      if (state.status === 'indexed')
        await refuse({ file, digest, reason: 'its lines are not those that were recorded' }, position)
    }
    if (!isLeader()) return false
    // What an aggregator took over meanwhile may be of a log that was put back since.
    await reachedIn(takenPlace)
    await add(changes)
    return true
  },
})

/** Throws `UnavailableError` where the index is of another log. */
const reachedIn = async (indexPlace: PublisherDependencies['indexPlace']): Promise<bigint> => {
  const { reached, mismatch } = await indexPlace()
  if (mismatch !== undefined) throw new UnavailableError(mismatch)
  return reached
}
