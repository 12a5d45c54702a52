import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import { orThrow } from '../async/unavailable.ts'
import type { RecordedEvent } from '../domain/kernel/event.ts'
import type { StoredEvent } from '../domain/kernel/stored-event.ts'
import type { EventStore } from '../ports/event-store.ts'
import { makeSureOfAll } from '../projections/runtime/fold.ts'
import { type Cursor, compareLogs, type Difference, type Pair } from './migrate/compare.ts'
import { type Contents, contentsOf, pageSize } from './migrate/contents.ts'
import { type CopyFailure, createCopier, runsOf } from './migrate/copy.ts'
import { type Counterpart, createCounterpart } from './migrate/counterpart.ts'
import { repeatDeletions } from './migrate/deletions.ts'
import { copyMetadata } from './migrate/metadata.ts'

/** Why a log was not copied whole. Events that were copied stay at the target. */
export type MigrationFailure = ({ readonly kind: 'Different' } & Difference) | CopyFailure

export interface Migrated {
  /** Events that had been copied before. */
  readonly before: number
  /** Events copied now. */
  readonly copied: number
  /** Events that an earlier version copied in other bytes than the source has: the copy's Merkle tree is another. */
  readonly rewritten: number
  /** Events of leader leases. */
  readonly leftOut: number
  /** Streams whose first events `$maxCount` has removed: they were not copied. */
  readonly cut: readonly string[]
  /** Streams whose metadata were copied now. */
  readonly metadata: number
  /** Streams deleted at the target, as they are at the source. */
  readonly deleted: number
  /** The last event that was copied; undefined for an empty log. */
  readonly last: Pick<RecordedEvent, 'stream' | 'revision' | 'position' | 'recordedAt'> | undefined
  /** The source has grown since: another run copies the rest. */
  readonly more: boolean
  /** Where the target has what the source has at a position. */
  readonly counterpart: Counterpart
}

interface MigrateOptions {
  /** The target may hold nothing else in these either, whether the source has such events or not. */
  readonly categories: readonly string[]
  readonly signal: AbortSignal
  /** Called with the number of events to copy. */
  readonly onStart: (events: number) => void
  /** Called with how many more events were copied, or compared. */
  readonly onProgress: (step: 'copy' | 'verify', events: number) => void
}

/**
 * Copies a log, event by event in its order, with ids, revisions and times. The events that the target holds already are
 * compared first: an interrupted copy goes on where it ended, and a target with other events in these categories is
 * `Different`. In the end the copied events are read again and compared, then the streams' metadata are copied.
 * Throws `UnavailableError`.
 */
export const migrate = async (
  source: EventStore,
  target: EventStore,
  options: MigrateOptions,
): Promise<Either<MigrationFailure, Migrated>> => {
  await makeSureOfAll(source)
  const contents = await contentsOf(source, options)
  const { leaves, events, leftOut } = contents
  options.onStart(events)
  const pairs: Pair[] = []
  const compare = (from: Cursor, step: 'copy' | 'verify') =>
    compareLogs(
      source,
      target,
      contents,
      from,
      options.signal,
      (more) => options.onProgress(step, more),
      (pair) => pairs.push(pair),
    )

  const known = await compare({ source: -1n, target: -1n, events: 0 }, 'copy')
  if (isLeft(known)) return left({ kind: 'Different', ...known.left })
  let last: Migrated['last']
  const copier = createCopier(target, contents)
  for await (const run of runsOf(source, known.right.source, contents)) {
    if (options.signal.aborted) await copier.finish()
    options.signal.throwIfAborted()
    const written = await copier.copy(run)
    if (isLeft(written)) return written
    last = run.at(-1)
    options.onProgress('copy', run.length)
  }
  const written = await copier.finish()
  if (isLeft(written)) return written

  options.onProgress('verify', known.right.events)
  const all = await compare(known.right, 'verify')
  if (isLeft(all)) return left({ kind: 'Different', ...all.left })
  if (all.right.events < events) {
    const missing = await firstBehind(source, all.right.source, leaves)
    return left({ kind: 'Different', here: missing, there: undefined })
  }
  const metadata = await copyMetadata(source, target, contents)
  if (isLeft(metadata)) return metadata
  const deleted = await repeatDeletions(source, target, contents)
  if (isLeft(deleted)) return deleted
  return right({
    before: known.right.events,
    copied: all.right.events - known.right.events,
    rewritten: known.right.rewritten + all.right.rewritten,
    leftOut,
    cut: contents.cut,
    metadata: metadata.right,
    deleted: deleted.right,
    last: last ?? (await lastAt(source, all.right.source)),
    more: (await firstBehind(source, contents.end, leaves)) !== undefined,
    counterpart: createCounterpart(source, target, contents, pairs),
  })
}

const firstBehind = async (
  source: EventStore,
  after: bigint,
  leaves: Contents['leaves'],
): Promise<StoredEvent | undefined> => {
  for (let position = after; ; ) {
    const page = await orThrow(source.readStored(position, {}, pageSize))
    const found = page.events.find(({ stream }) => !leaves(stream))
    if (found || page.caughtUp) return found
    position = page.position
  }
}

const lastAt = async (source: EventStore, position: bigint): Promise<RecordedEvent | undefined> => {
  if (position < 0n) return undefined
  const [event] = await orThrow(source.readBack(position + 1n, 1))
  return event
}
