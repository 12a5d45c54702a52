import { setImmediate } from 'node:timers/promises'
import { isLeft } from 'fp-ts/lib/Either.js'
import { orThrow } from '../../../async/unavailable.ts'
import {
  type EventLeaf,
  eventEntry,
  leafText,
  parseEventEntry,
} from '../../../domain/kernel/proof/event-leaf.ts'
import { isLeaf, leafOf } from '../../../domain/kernel/proof/leaf-of.ts'
import type { StoredEvent } from '../../../domain/kernel/stored-event.ts'
import type { EventStore } from '../../../ports/event-store.ts'
import { eventAt } from '../find-place.ts'
import { createDeletions, type Removal } from '../removals.ts'
import { changed, type Difference, inserted, moved, removed } from './differences.ts'

type Log = Pick<EventStore, 'readStored' | 'readAll' | 'read' | 'metadata' | 'head'>

export interface RemovedBy extends Pick<Removal, 'category' | 'policy'> {
  readonly events: number
  /** Revisions in `retention-<category>` of the first and the last event that names some of them. */
  readonly first: bigint
  readonly last: bigint
}

interface Compared {
  /** Events that are as they were sealed. */
  readonly same: number
  /** Sealed events that were removed since by policies that events in the log tell of, by policy. */
  readonly removedBy: readonly RemovedBy[]
  /** Sealed events that were deleted since by the rules of their streams, which no event in the log tells of. */
  readonly deleted: number
  /** Events behind the sealed ones. */
  readonly unsealed: number
  /** There are more differences than were looked for. */
  readonly isCut: boolean
}

/** A part of the log: from behind a position on. The entries are those of its events. */
interface Range {
  readonly after?: bigint
  /** Absent: events behind the last entry are counted. */
  readonly countsUnsealed?: boolean
  /** After so many differences the rest is not compared; absent: 1000, as nobody reads more. */
  readonly most?: number
}

const pageSize = 1000
/** Entries between two turns of other work: some 5 ms. */
const breath = 256n
const mostDifferences = 1000
/** Events kept that came before an expected one. */
const mostEarly = 1000

/**
 * Compares the events of the log with the entries of a tree, in their order, and calls `onDifference` with each that differs. Memory
 * does not grow with the log. Throws `UnavailableError`.
 */
export const compareLog = async (
  log: Log,
  entries: AsyncIterable<Uint8Array>,
  onDifference: (difference: Difference) => void,
  onProgress: (leaves: number) => void,
  { after = -1n, countsUnsealed = true, most = mostDifferences }: Range = {},
): Promise<Compared> => {
  const events = eventsOf(log, after)
  let next = await events.next()
  /** Events that came before an expected one: out of their order, or inserted. */
  const early = new Map<string, StoredEvent>()
  const counts = { same: 0, deleted: 0, unsealed: 0 }
  const deletions = createDeletions(log)
  const removals = countRemovals()
  let differences = 0
  let index = -1n
  const report = (difference: Difference) => {
    differences++
    onDifference(difference)
  }
  const compare = (event: StoredEvent, leaf: EventLeaf, entry: Uint8Array): void => {
    if (eventEntry(leafOf(event, leaf.previous)) === Buffer.from(entry).toString()) counts.same++
    else report(changed(leaf, index, event))
  }

  for await (const entry of entries) {
    index++
    if (index % breath === 0n) {
      onProgress(Number(index))
      await setImmediate()
    }
    const parsed = parseEventEntry(entry)
    if (isLeft(parsed)) continue
    const leaf = parsed.right
    const key = keyOf(leaf)
    const before = early.get(key)
    if (before) {
      early.delete(key)
      report(moved(leaf, index))
      compare(before, leaf, entry)
      continue
    }
    let place: bigint | 'absent' | undefined
    while (!next.done && keyOf(eventKey(next.value)) !== key) {
      place ??= (await eventAt(log, leaf))?.position ?? 'absent'
      if (place === 'absent' || place <= next.value.position || early.size >= mostEarly) break
      early.set(keyOf(eventKey(next.value)), next.value)
      next = await events.next()
    }
    if (!next.done && keyOf(eventKey(next.value)) === key) {
      compare(next.value, leaf, entry)
      next = await events.next()
    } else {
      const why = await deletions.whyDeleted(leaf)
      if (why?.by === 'policy') removals.add(why.removal)
      else if (why) counts.deleted++
      else report(removed(leaf, index))
    }
    if (differences >= most) return { ...counts, removedBy: removals.all(), isCut: true }
  }
  for (const event of early.values()) report(inserted(event))
  if (countsUnsealed) for (; !next.done; next = await events.next()) counts.unsealed++
  return { ...counts, removedBy: removals.all(), isCut: false }
}

const countRemovals = () => {
  const all = new Map<string, RemovedBy>()
  return {
    all: (): readonly RemovedBy[] => [...all.values()],
    add: ({ category, policy, revision }: Removal): void => {
      const key = `${category}/${policy.at}`
      const known = all.get(key) ?? { category, policy, events: 0, first: revision, last: revision }
      const [first, last] = [known.first, known.last]
      all.set(key, {
        ...known,
        events: known.events + 1,
        first: revision < first ? revision : first,
        last: revision > last ? revision : last,
      })
    },
  }
}

async function* eventsOf(log: Log, from: bigint): AsyncGenerator<StoredEvent, undefined> {
  for (let after = from; ; ) {
    const page = await orThrow(log.readStored(after, {}, pageSize))
    yield* page.events.filter(isLeaf)
    if (page.caughtUp) return undefined
    after = page.position
  }
}

const eventKey = ({ stream, revision }: StoredEvent) => ({ stream: leafText(stream), revision })
const keyOf = ({ stream, revision }: Pick<EventLeaf, 'stream' | 'revision'>): string =>
  `${revision} ${typeof stream === 'string' ? stream : JSON.stringify(stream)}`
