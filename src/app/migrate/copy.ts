import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import { orThrow } from '../../async/unavailable.ts'
import type { NewEvent, RecordedEvent } from '../../domain/kernel/event.ts'
import type { EventStore } from '../../ports/event-store.ts'
import { type Contents, pageSize } from './contents.ts'
import { removeSoftly, type WrittenMeanwhile, writtenMeanwhile } from './deletions.ts'

export type CopyFailure =
  | WrittenMeanwhile
  | { readonly kind: 'TooLarge'; readonly event: RecordedEvent; readonly limit: number }

/** Bounds of an append: it ends soon when it is to be stopped, and any server takes it. */
const maxRunEvents = 500
const maxRunBytes = 256 * 1024

/** Runs of consecutive events of one stream: each may be appended at once, as that keeps the order of the log. */
export async function* runsOf(
  source: EventStore,
  after: bigint,
  { leaves, end }: Contents,
): AsyncGenerator<readonly RecordedEvent[]> {
  let run: RecordedEvent[] = []
  let size = 0
  for (let position = after; ; ) {
    const page = await orThrow(source.readAll(position, {}, pageSize))
    for (const event of page.events) {
      if (event.position > end || leaves(event.stream)) continue
      const bytes = JSON.stringify([event.data, event.metadata]).length
      const fits = run.length < maxRunEvents && size + bytes <= maxRunBytes
      if (run.length > 0 && !(fits && run.at(-1)!.stream === event.stream)) {
        yield run
        run = []
        size = 0
      }
      run.push(event)
      size += bytes
    }
    if (page.caughtUp || page.position >= end) break
    position = page.position
  }
  if (run.length > 0) yield run
}

/**
 * Appends a run. Events before the first readable one of the stream were deleted before that one was written: they are
 * deleted at the target, too, in the same order.
 */
export const copyRun = async (
  source: EventStore,
  target: EventStore,
  run: readonly RecordedEvent[],
): Promise<Either<CopyFailure, void>> => {
  const { stream, revision: from } = run[0]!
  const first = await source.read(stream, 'start', 'forward', 1)()
  const born = isLeft(first) ? 0n : (first.right[0]?.revision ?? 0n)
  const cut = Math.max(0, Math.min(run.length, Number(born - from)))
  if (cut > 0) {
    const written = await append(target, run.slice(0, cut))
    if (isLeft(written) || cut === run.length) return written
  }
  if (born > 0n && run[cut]!.revision === born) {
    const removed = await removeSoftly(target, stream, born - 1n)
    if (isLeft(removed)) return removed
  }
  return append(target, run.slice(cut))
}

/** One append, or several where the target does not take as much at once. */
const append = async (
  target: EventStore,
  run: readonly RecordedEvent[],
): Promise<Either<CopyFailure, void>> => {
  const { stream, revision } = run[0]!
  const expected = revision === 0n ? 'none' : revision - 1n
  const result = await target.append(stream, expected, run.map(withItsTime))()
  if (!isLeft(result)) return right(undefined)
  if (result.left.kind !== 'TooLarge') return writtenMeanwhile(result.left, stream)
  if (run.length === 1) return left({ kind: 'TooLarge', event: run[0]!, limit: result.left.limit })
  const half = run.length >> 1
  const written = await append(target, run.slice(0, half))
  return isLeft(written) ? written : append(target, run.slice(half))
}

/** Our adapters read this as the event's time, in place of the time of the copy. */
const withItsTime = ({ id, type, data, metadata, recordedAt }: RecordedEvent): NewEvent => {
  const stored = { ...metadata, recordedAt }
  return { id, type, data, metadata: stored }
}
