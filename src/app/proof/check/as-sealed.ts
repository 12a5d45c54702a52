import { bundleAt, maxEntryBytes, tileWidth } from '@fonds/tlog'
import { isRight } from 'fp-ts/lib/Either.js'
import { orThrow } from '../../../async/unavailable.ts'
import { categoryOf, type RecordedEvent } from '../../../domain/kernel/event.ts'
import { entryForm } from '../../../domain/kernel/proof/event-entry.ts'
import { eventEntry, parseEventEntry } from '../../../domain/kernel/proof/event-leaf.ts'
import { isLeaf, leafOf } from '../../../domain/kernel/proof/leaf-of.ts'
import type { EventBytes, EventFilter, EventStore } from '../../../ports/event-store.ts'
import { eventAt } from '../find-place.ts'
import { bundleEntries, type TileFiles } from '../open-tree.ts'

interface Sealed {
  readonly eventStore: Pick<EventStore, 'readStored' | 'read' | 'head'>
  readonly files: TileFiles
  readonly filter: EventFilter
  readonly signal?: AbortSignal | undefined
}

type Place = Pick<RecordedEvent, 'stream' | 'revision' | 'id' | 'type' | 'recordedAt' | 'position'>

/** Events, and the bytes of each, in the same order. */
interface Part {
  readonly events: readonly Place[]
  readonly bytes: readonly EventBytes[]
  /** Everything up to here is in it. */
  readonly position: bigint
}

/** The events that pass a filter beside the entries of a tree. All throw `UnavailableError`, `BrokenTree`. */
interface AsSealed {
  /** Events from behind `after` on. They may overlap with earlier ones; what is missing in between is read from the log. */
  take(after: bigint, part: Part): Promise<void>
  /**
   * Reads what was not taken. True if the events are those of the tree's entries, byte for byte and in their order, up to the last entry.
   * False proves nothing yet: events may be gone by a rule of their stream, which `checkLog` tells.
   */
  end(size: bigint): Promise<boolean>
}

const pageSize = 1000

/**
 * Compares events with entries while both come. `size`: leaves of the tree, which may grow until the end. The entries are taken as they
 * stand in the files: no root is computed.
 */
export const createAsSealed = (
  { eventStore, files, filter, signal }: Sealed,
  { size: sizeNow }: { readonly size: bigint },
): AsSealed => {
  let size = sizeNow
  const bundle = { first: 0n, entries: [] as readonly Uint8Array[], at: 0 }
  const begin = Buffer.allocUnsafe(maxEntryBytes + 1)
  /** Everything up to here was compared. */
  let reached = -1n
  let last: Uint8Array | undefined
  /** The first event that has no entry. */
  let unsealed: Place | undefined
  let isDifferent = false

  /** False: there are no more entries. */
  const hasNext = async (): Promise<boolean> => {
    if (bundle.at < bundle.entries.length) return true
    const next = bundle.first + BigInt(bundle.at)
    if (next >= size) return false
    signal?.throwIfAborted()
    const { index, width } = bundleAt(next / BigInt(tileWidth), size)
    bundle.entries = (await bundleEntries(files, index, width)).slice(0, width)
    bundle.first = index * BigInt(tileWidth)
    bundle.at = Number(next - bundle.first)
    return true
  }

  /** Looks past an entry that no event stands beside. */
  const pass = (entry: Uint8Array): void => {
    const text = Buffer.from(entry.buffer, entry.byteOffset, entry.length).toString()
    if (mayPass(filter, text)) isDifferent = true
    else if (text.startsWith(entryForm)) last = entry
  }

  const compare = async ({ events, bytes, position }: Part): Promise<void> => {
    for (let i = 0; i < events.length; i++) {
      const event = events[i]!
      if (event.position <= reached || !isLeaf(event)) continue
      const length = begin.write(beginOf(event, bytes[i]!))
      for (;;) {
        if (bundle.at === bundle.entries.length && !(await hasNext())) {
          unsealed = event
          return
        }
        const entry = bundle.entries[bundle.at++]!
        if (entry.length > length && begin.compare(entry, 0, length, 0, length) === 0) {
          last = entry
          reached = event.position
          break
        }
        pass(entry)
        if (isDifferent) return
      }
    }
    if (position > reached) reached = position
  }

  /** Up to `to` at least, or to the end of the log. */
  const readOn = async (to?: bigint): Promise<void> => {
    for (let isEnd = false; !isEnd && !isDifferent && !unsealed && (to === undefined || reached < to); ) {
      signal?.throwIfAborted()
      const page = await orThrow(eventStore.readStored(reached, filter, pageSize))
      await compare({ ...page, bytes: page.events })
      isEnd = page.caughtUp
    }
  }

  return {
    take: async (after, part) => {
      // Another process may have folded some.
      await readOn(after)
      if (!isDifferent && !unsealed) await compare(part)
    },
    end: async (sizeThen) => {
      size = sizeThen
      unsealed = undefined
      await readOn()
      while (!isDifferent && !unsealed && (await hasNext())) pass(bundle.entries[bundle.at++]!)
      return !isDifferent && (await isBehind(eventStore, unsealed, last))
    },
  }
}

/** True if the first event that has no entry is behind the last sealed one, whatever passes the filter: nothing was inserted. */
const isBehind = async (
  eventStore: Sealed['eventStore'],
  next: Place | undefined,
  last: Uint8Array | undefined,
): Promise<boolean> => {
  if (!next || !last) return true
  const leaf = parseEventEntry(last)
  const found = isRight(leaf) ? await eventAt(eventStore, leaf.right) : undefined
  return found !== undefined && found.position < next.position
}

/** The entry of an event, but for the leaf of the event before it, which the log does not have. */
const beginOf = ({ stream, revision, id, type, recordedAt }: Place, { data, metadata }: EventBytes): string =>
  eventEntry(leafOf({ stream, revision, id, type, recordedAt, data, metadata }, undefined)).slice(
    0,
    -'none\n'.length,
  )

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
