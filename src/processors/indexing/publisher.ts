import { orThrow } from '../../async/unavailable.ts'
import { decider } from '../../domain/indexing/decide.ts'
import type { DataOf } from '../../domain/indexing/events.ts'
import { category } from '../../domain/indexing/file.ts'
import { postEvents, postsCategory } from '../../domain/indexing/posts/events.ts'
import { idOf } from '../../domain/kernel/event.ts'
import type { IndexChange, WrittenRun } from '../../ports/capture-index.ts'
import type { Subscription } from '../runtime/leader-subscription.ts'
import type { StreamStates } from '../runtime/stream-states.ts'
import { postedChange } from './posted-changes.ts'

export interface PublisherDependencies {
  readonly states: StreamStates
  /** Of a file whose lines lie in a file of their own: those of this digest, as a run; undefined where it has others, or none. */
  readonly runOfLines: (file: string, digest: string) => Promise<WrittenRun | undefined>
  /** Hands changes over to the aggregator, for good. */
  readonly add: (changes: readonly IndexChange[]) => Promise<void>
  readonly log: { error(details: object, message: string): void }
}

/** Only what was decided reaches the index: indexed and withdrawn files, and posts, in the order of the log. Done again, it changes nothing. */
export const publisher = ({ states, runOfLines, add, log }: PublisherDependencies): Subscription => ({
  name: 'indexing-publisher',
  filter: {
    categories: [category, postsCategory],
    types: ['FileIndexed', 'FileWithdrawn', ...postEvents.types],
  },
  batchSize: 1000,
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
        changes.push({ kind: 'withdraw', file, position })
        continue
      }
      const { run: place, lines, digest } = data as DataOf<'FileIndexed'>
      const run = place ? { ...place, lines, sha256: digest } : await runOfLines(file, digest)
      if (run) {
        changes.push({ kind: 'publish', file, run, position })
        continue
      }
      // Where it was indexed again or withdrawn since, a later event says what holds.
      const { state } = await orThrow(() => states.load(decider, stream))
      if (state.status === 'indexed')
        log.error(
          { file },
          'the lines of a file are not those that were recorded, and are not in the index, unless it was indexed again just now: `fonds do indexing.reset` has it indexed again',
        )
    }
    if (!isLeader()) return false
    await add(changes)
    return true
  },
})
