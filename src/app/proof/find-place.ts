import { hash } from 'node:crypto'
import { isLeft } from 'fp-ts/lib/Either.js'
import { orThrow } from '../../async/unavailable.ts'
import type { RecordedEvent } from '../../domain/kernel/event.ts'
import { type EventLeaf, type LeafText, parseEventEntry } from '../../domain/kernel/proof/event-leaf.ts'
import { isLeaf } from '../../domain/kernel/proof/leaf-of.ts'
import type { StoredEvent } from '../../domain/kernel/stored-event.ts'
import type { EventStore } from '../../ports/event-store.ts'
import { BrokenTree } from './open-tree.ts'
import { createDeletions } from './removals.ts'
import { storedEventAt } from './stored-event-at.ts'

/* Where in the log a tree ends. Positions are not in its entries, for a copy of the log has others. */

export interface SealedLeaf {
  readonly index: bigint
  readonly leaf: EventLeaf
}

/** The place of the last sealed event, or a sealed event that the log does not have: it is behind its own tree. */
export type Place = { readonly position: bigint } | { readonly missing: SealedLeaf }

interface Sealed {
  readonly entry: (index: bigint) => Promise<Uint8Array>
  readonly size: bigint
  /** 1 if the first entry is no event. */
  readonly firstLeaf: bigint
  /** Position that the last event had when it was sealed. */
  readonly hint: bigint | undefined
}

/** Leaves that are looked for before the log counts as one that has none of them. */
const maxTries = 1000n
const pageSize = 1000

/**
 * Events may have been deleted since, on a person's word: those are no gap. Throws `UnavailableError`; `BrokenTree` for an
 * entry that is none.
 */
export const findPlace = async (eventStore: EventStore, sealed: Sealed): Promise<Place> => {
  const { entry, size, firstLeaf, hint } = sealed
  const leafAt = async (index: bigint): Promise<SealedLeaf> => {
    const leaf = parseEventEntry(await entry(index))
    if (isLeft(leaf)) throw new BrokenTree(`leaf ${index} of the tree is no event: ${leaf.left}`)
    return { index, leaf: leaf.right }
  }
  if (size === firstLeaf) return { position: -1n }
  const last = await leafAt(size - 1n)
  if (hint !== undefined && (await isAt(eventStore, hint, last))) return { position: hint }

  const unread: SealedLeaf[] = []
  let from = -1n
  for (let index = size - 1n; index >= firstLeaf; index--) {
    const one = await leafAt(index)
    const found = await findSealed(eventStore, one)
    if (found === 'missing' || size - index > maxTries) return { missing: one }
    if (found !== 'unreadable') {
      from = found
      break
    }
    unread.push(one)
  }
  return behind(eventStore, from, unread.reverse())
}

/** Passes the events of these leaves in the log, which has them even where their streams no longer show them. */
const behind = async (
  eventStore: EventStore,
  from: bigint,
  unread: readonly SealedLeaf[],
): Promise<Place> => {
  const waiting = new Map(unread.map((one) => [`${one.leaf.revision} ${textKey(one.leaf.stream)}`, one]))
  let position = from
  for (let after = from; waiting.size > 0; ) {
    const page = await orThrow(eventStore.readStored(after, {}, pageSize))
    for (const event of page.events.filter(isLeaf)) {
      const key = [event.stream, { sha256: hash('sha256', event.stream, 'base64') }].map(
        (stream) => `${event.revision} ${textKey(stream)}`,
      )
      const one = waiting.get(key[0]!) ?? waiting.get(key[1]!)
      if (!one || !isSame(one.leaf.id, event.id)) return firstUnexplained(eventStore, position, waiting)
      waiting.delete(key[0]!)
      waiting.delete(key[1]!)
      position = event.position
    }
    if (page.caughtUp) break
    after = page.position
  }
  return firstUnexplained(eventStore, position, waiting)
}

const firstUnexplained = async (
  eventStore: EventStore,
  position: bigint,
  waiting: ReadonlyMap<string, SealedLeaf>,
): Promise<Place> => {
  const { whyDeleted } = createDeletions(eventStore)
  for (const one of waiting.values()) if (!(await whyDeleted(one.leaf))) return { missing: one }
  return { position }
}

/**
 * The event at the leaf's place in its stream, whatever it is; undefined if the stream does not show one. A log that answers, but not
 * for this stream, has lost events of it.
 */
export const eventAt = async (
  eventStore: Pick<EventStore, 'read' | 'head'>,
  { stream, revision }: Pick<EventLeaf, 'stream' | 'revision'>,
): Promise<RecordedEvent | undefined> => {
  if (typeof stream !== 'string') return undefined
  const read = await eventStore.read(stream, revision, 'forward', 1)()
  if (isLeft(read)) {
    if (read.left.kind !== 'StreamDeleted') await orThrow(eventStore.head())
    return undefined
  }
  return read.right[0]?.revision === revision ? read.right[0] : undefined
}

/** The event at the leaf's place in its stream, as it is stored; undefined if the stream does not show one. */
export const storedAt = async (
  eventStore: Pick<EventStore, 'read' | 'readStored' | 'head'>,
  leaf: EventLeaf,
): Promise<StoredEvent | undefined> => {
  const found = await eventAt(eventStore, leaf)
  return found && storedEventAt(eventStore, found.position)
}

/** Its position; `missing` if the stream certainly never had it; `unreadable` if the stream may no longer show it. */
const findSealed = async (
  eventStore: EventStore,
  { leaf }: SealedLeaf,
): Promise<bigint | 'missing' | 'unreadable'> => {
  const found = await eventAt(eventStore, leaf)
  if (found) return isSame(leaf.id, found.id) ? found.position : 'missing'
  if (typeof leaf.stream !== 'string') return 'unreadable'
  const read = await eventStore.read(leaf.stream, 'end', 'backward', 1)()
  if (isLeft(read)) return 'unreadable'
  return read.right[0] && read.right[0].revision < leaf.revision ? 'missing' : 'unreadable'
}

const isAt = async (eventStore: EventStore, position: bigint, { leaf }: SealedLeaf): Promise<boolean> => {
  if (position < 0n) return false
  const event = await storedEventAt(eventStore, position)
  return (
    event !== undefined &&
    isSame(leaf.id, event.id) &&
    event.revision === leaf.revision &&
    isSame(leaf.stream, event.stream)
  )
}

const isSame = (text: EventLeaf['stream'], known: string): boolean =>
  typeof text === 'string'
    ? text === known
    : 'sha256' in text && text.sha256 === hash('sha256', known, 'base64')

const textKey = (text: EventLeaf['stream'] | LeafText): string => JSON.stringify(text)
