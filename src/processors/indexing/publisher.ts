import { orThrow, UnavailableError } from '../../async/unavailable.ts'
import { decider } from '../../domain/indexing/decide.ts'
import type { DataOf } from '../../domain/indexing/events.ts'
import { category } from '../../domain/indexing/file.ts'
import { type PostedLines, postEvents, postsCategory } from '../../domain/indexing/posts/events.ts'
import { categoryOf, idOf, type RecordedEvent } from '../../domain/kernel/event.ts'
import { placeOf } from '../../domain/kernel/event-place.ts'
import type { IndexChange, IndexPlace, LastChange, WrittenRun } from '../../ports/capture-index.ts'
import type { Subscription } from '../runtime/leader-subscription.ts'
import type { StreamStates } from '../runtime/stream-states.ts'

/** A position beyond the end of any log. */
const never = 2n ** 63n

const embargoTypes: readonly string[] = ['EmbargoSet', 'EmbargoLifted']

export interface PublisherDependencies {
  readonly states: StreamStates
  /**
   * The run of a file whose lines are in a file of their own, if they have this digest; undefined if it has others, or
   * none.
   */
  readonly runOfLines: (file: string, digest: string) => Promise<WrittenRun | undefined>
  /** Hands changes over to the aggregator durably. */
  readonly add: (changes: readonly IndexChange[]) => Promise<void>
  /** Has a file indexed again whose lines are not those that were recorded. */
  readonly refuse: (
    refused: { file: string; digest: string; reason: string },
    position: bigint,
  ) => Promise<void>
  /** Lists the embargoes of these files for readers of the index that have no log; without files all, if there is no list. */
  readonly listEmbargoes: (files?: readonly string[]) => Promise<void>
  /** Position of the index, with the changes that wait for it. */
  readonly indexPlace: () => Promise<IndexPlace>
  /** Position of the index alone. */
  readonly takenPlace: () => Promise<IndexPlace>
}

/**
 * Publishes decided changes alone to the index: indexed and withdrawn files, and posts, in the order of the log. It is
 * idempotent: it starts at the position of the index, even if the index was restored from an older copy or lost.
 */
export const publisher = ({
  states,
  runOfLines,
  add,
  refuse,
  listEmbargoes,
  indexPlace,
  takenPlace,
}: PublisherDependencies): Subscription => ({
  name: 'indexing-publisher',
  filter: {
    categories: [category, postsCategory],
    types: ['FileIndexed', 'FileWithdrawn', ...embargoTypes, ...postEvents.types],
  },
  batchSize: 1000,
  isSink: true,
  ownCheckpoint: {
    load: async () => {
      await listEmbargoes()
      return reachedIn(indexPlace)
    },
    // Changes that `handle` has handed over are on disk.
    reached: () => never,
    end: async () => {},
  },
  handle: async ({ events }, isLeader) => {
    const changes: IndexChange[] = []
    const embargoed: string[] = []
    for (const event of events) {
      if (!isLeader()) return false
      const posted = postedChange(event)
      if (posted) {
        changes.push(posted)
        continue
      }
      const { type, stream, position, data } = event
      const file = idOf(stream)
      if (embargoTypes.includes(type)) {
        embargoed.push(file)
        continue
      }
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
      // If the file was indexed again or withdrawn since, a later event applies.
      const { state } = await orThrow(() => states.load(decider, stream))
      if (state.status === 'indexed')
        await refuse({ file, digest, reason: 'its lines are not those that were recorded' }, position)
    }
    if (!isLeader()) return false
    // Changes that an aggregator took over meanwhile may be of a log that was since restored from an older copy.
    await reachedIn(takenPlace)
    // Before the lines: no file of the index has them first.
    if (embargoed.length > 0) await listEmbargoes(embargoed)
    await add(changes)
    return true
  },
})

/** Position that the index has reached. Throws `UnavailableError` if the index is of another log. */
const reachedIn = async (indexPlace: PublisherDependencies['indexPlace']): Promise<bigint> => {
  const { reached, mismatch } = await indexPlace()
  if (mismatch !== undefined) throw new UnavailableError(mismatch)
  return reached
}

/** The change of the index by a post; undefined for other events. */
const postedChange = (event: RecordedEvent): IndexChange | undefined => {
  const { type, stream, data } = event
  if (categoryOf(stream) !== postsCategory) return undefined
  const { run, lines, digest } = data as PostedLines
  return {
    kind: type === 'LinesPosted' ? 'add' : 'remove',
    run: { ...run, lines, sha256: digest },
    ...decidedBy(event),
  }
}

/** The event that decided a change. */
const decidedBy = (event: RecordedEvent): LastChange => ({
  position: event.position,
  event: placeOf(event),
})
