import { bundleAt, tileWidth } from '@fonds/tlog'
import { isRight } from 'fp-ts/lib/Either.js'
import { orThrow } from '../../../async/unavailable.ts'
import { categoryOf } from '../../../domain/kernel/event.ts'
import { entryForm } from '../../../domain/kernel/proof/event-entry.ts'
import { eventEntry, parseEventEntry } from '../../../domain/kernel/proof/event-leaf.ts'
import { isLeaf, leafOf } from '../../../domain/kernel/proof/leaf-of.ts'
import type { StoredEvent } from '../../../domain/kernel/stored-event.ts'
import type { EventFilter, EventStore } from '../../../ports/event-store.ts'
import { eventAt } from '../find-place.ts'
import { bundleEntries, type TileFiles } from '../open-tree.ts'

interface Sealed {
  readonly eventStore: Pick<EventStore, 'readStored' | 'read' | 'head'>
  readonly files: TileFiles
  /** Leaves of the tree. */
  readonly size: bigint
  readonly filter: EventFilter
  readonly signal?: AbortSignal | undefined
}

const pageSize = 1000

/**
 * True if the events that pass the filter are those of the tree's entries, byte for byte and in their order, up to the last entry.
 * False proves nothing yet: events may be gone by a rule of their stream, which `checkLog` tells. The entries are taken as they stand in
 * the files: no root is computed. Throws `UnavailableError`, `BrokenTree`.
 */
export const isAsSealed = async ({ eventStore, files, size, filter, signal }: Sealed): Promise<boolean> => {
  let expected: readonly Expected[] = []
  let at = 0
  let after = -1n
  let isEnd = false
  let last: Uint8Array | undefined
  const readOn = async (): Promise<void> => {
    for (at = 0, expected = []; expected.length === 0 && !isEnd; ) {
      signal?.throwIfAborted()
      const page = await orThrow(eventStore.readStored(after, filter, pageSize))
      expected = page.events.filter(isLeaf).map(asEntry)
      after = page.position
      isEnd = page.caughtUp
    }
  }
  for (let index = 0n; index * BigInt(tileWidth) < size; index++) {
    const { width } = bundleAt(index, size)
    for (const entry of (await bundleEntries(files, index, width)).slice(0, width)) {
      if (at === expected.length && !isEnd) await readOn()
      const here = expected[at]
      if (here && isBegun(entry, here.begin)) {
        at++
        last = entry
        continue
      }
      const text = Buffer.from(entry.buffer, entry.byteOffset, entry.length).toString()
      if (mayPass(filter, text)) return false
      if (text.startsWith(entryForm)) last = entry
    }
  }
  if (at === expected.length && !isEnd) await readOn()
  return isBehind(eventStore, expected[at], last)
}

/** True if the first event that has no entry is behind the last sealed one, whatever passes the filter: nothing was inserted. */
const isBehind = async (
  eventStore: Sealed['eventStore'],
  next: Expected | undefined,
  last: Uint8Array | undefined,
): Promise<boolean> => {
  if (!next || !last) return true
  const leaf = parseEventEntry(last)
  const found = isRight(leaf) ? await eventAt(eventStore, leaf.right) : undefined
  return found !== undefined && found.position < next.position
}

interface Expected {
  readonly position: bigint
  /** The entry of the event, but for the leaf of the event before it, which the log does not have. */
  readonly begin: Uint8Array
}

const asEntry = (event: StoredEvent): Expected => ({
  position: event.position,
  begin: Buffer.from(eventEntry(leafOf(event, undefined))).subarray(0, -'none\n'.length),
})

const isBegun = (entry: Uint8Array, begin: Uint8Array): boolean =>
  Buffer.compare(entry.subarray(0, begin.length), begin) === 0

/** A category or type that the entry gives as a digest, or not at all, counts as one that passes. */
const mayPass = ({ categories, types }: EventFilter, text: string): boolean => {
  const [form, stream = '', , , type = ''] = text.split('\n', 5)
  if (form !== entryForm) return false
  const passes = (value: string | undefined, list: readonly string[] | undefined) =>
    value === undefined || !list || list.includes(value)
  const name = textOf(stream)
  return passes(textOf(type), types) && passes(name === undefined ? undefined : categoryOf(name), categories)
}

const textOf = (field: string): string | undefined => {
  try {
    const value: unknown = JSON.parse(field)
    return typeof value === 'string' ? value : undefined
  } catch {
    return undefined
  }
}
