import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import { orThrow } from '../../async/unavailable.ts'
import { copiedMetadata } from '../../domain/kernel/proof/own-metadata.ts'
import { type StoredContent, type StoredEvent, sizeOfStored } from '../../domain/kernel/stored-event.ts'
import type { EventStore } from '../../ports/event-store.ts'
import { type Contents, pageSize } from './contents.ts'
import { removeSoftly, type WrittenMeanwhile, writtenMeanwhile } from './deletions.ts'

export type CopyFailure =
  | WrittenMeanwhile
  | { readonly kind: 'TooLarge'; readonly event: StoredEvent; readonly limit: number }

/** Limits of an append: it ends soon after a stop, and any server accepts it. */
const maxRunEvents = 500
const maxRunBytes = 256 * 1024
/** Most runs of one stream that are under way at once. */
const maxUnderWay = 4

/**
 * Splits the log into runs of consecutive events of one stream: each may be appended at once, as that keeps the order
 * of the log.
 */
export async function* runsOf(
  source: EventStore,
  after: bigint,
  { leaves, end }: Contents,
): AsyncGenerator<Run> {
  let run: StoredEvent[] = []
  let size = 0
  // The next page is read while this one is written.
  let coming = source.readStored(after, {}, pageSize)()
  for (;;) {
    const page = await orThrow(() => coming)
    const isLast = page.caughtUp || page.position >= end
    if (!isLast) coming = source.readStored(page.position, {}, pageSize)()
    for (const event of page.events) {
      if (event.position > end || leaves(event.stream)) continue
      const bytes = sizeOfStored(event)
      const fits = run.length < maxRunEvents && size + bytes <= maxRunBytes
      if (run.length > 0 && !(fits && run.at(-1)!.stream === event.stream)) {
        yield run
        run = []
        size = 0
      }
      run.push(event)
      size += bytes
    }
    if (isLast) break
  }
  if (run.length > 0) yield run
}

type Run = readonly StoredEvent[]

interface UnderWay {
  readonly run: Run
  readonly appended: ReturnType<ReturnType<EventStore['append']>>
}

interface Copier {
  /** Appends a run behind those before. Left: one of them could not be appended. Throws `UnavailableError`. */
  copy(run: Run): Promise<Either<CopyFailure, void>>
  /** Waits for all. */
  finish(): Promise<Either<CopyFailure, void>>
}

/**
 * Appends runs in the order of the log. Those under way together are of one stream, where each expects the one before
 * it: so none overtakes another, whatever the target does with them.
 */
export const createCopier = (target: EventStore, { bornAt }: Pick<Contents, 'bornAt'>): Copier => {
  let underWay: UnderWay[] = []

  const send = async (run: Run): Promise<Either<CopyFailure, void>> => {
    const isBehind = underWay.length < maxUnderWay && underWay.at(-1)?.run[0]?.stream === run[0]!.stream
    const before = isBehind ? right(undefined) : await finish()
    if (isLeft(before)) return before
    underWay.push({ run, appended: appendOf(target, run)() })
    return before
  }

  const finish = async (): Promise<Either<CopyFailure, void>> => {
    const all = underWay
    underWay = []
    const appended = await Promise.all(all.map((one) => one.appended))
    const failed = appended.findIndex(isLeft)
    const first = appended[failed]
    if (!first || !isLeft(first)) return right(undefined)
    if (first.left.kind !== 'TooLarge') return writtenMeanwhile(first.left, all[failed]!.run[0]!.stream)
    // Appends it in smaller parts, and those behind it again.
    for (const { run } of all.slice(failed)) {
      const written = await append(target, run)
      if (isLeft(written)) return written
    }
    return right(undefined)
  }

  return {
    finish,
    copy: async (run) => {
      const { stream, revision: from } = run[0]!
      const born = bornAt.get(stream) ?? 0n
      const cut = Math.max(0, Math.min(run.length, Number(born - from)))
      if (cut > 0) {
        const written = await send(run.slice(0, cut))
        if (isLeft(written) || cut === run.length) return written
      }
      // Events before the first readable one were deleted before that was written: so at the target, in the same order.
      if (born > 0n && run[cut]!.revision === born) {
        const written = await finish()
        if (isLeft(written)) return written
        const removed = await removeSoftly(target, stream, born - 1n)
        if (isLeft(removed)) return removed
      }
      return send(run.slice(cut))
    },
  }
}

const appendOf = (target: EventStore, run: Run) => {
  const { stream, revision } = run[0]!
  return target.appendStored(stream, revision === 0n ? 'none' : revision - 1n, run.map(withItsTime))
}

/** Appends a run, in parts if the target does not accept it at once. */
const append = async (target: EventStore, run: Run): Promise<Either<CopyFailure, void>> => {
  const { stream } = run[0]!
  const result = await appendOf(target, run)()
  if (!isLeft(result)) return right(undefined)
  if (result.left.kind !== 'TooLarge') return writtenMeanwhile(result.left, stream)
  if (run.length === 1) return left({ kind: 'TooLarge', event: run[0]!, limit: result.left.limit })
  const half = run.length >> 1
  const written = await append(target, run.slice(0, half))
  return isLeft(written) ? written : append(target, run.slice(half))
}

/** Adds the event's time to its metadata: our adapters read it in place of the time of the copy. All else stays as it is. */
const withItsTime = (event: StoredEvent): StoredContent => ({ ...event, metadata: copiedMetadata(event) })
