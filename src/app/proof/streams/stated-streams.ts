import { type Checkpoint, tileWidth, toBase64 } from '@fonds/tlog'
import { isRight } from 'fp-ts/lib/Either.js'
import { orThrow } from '../../../async/unavailable.ts'
import type { RecordedEvent } from '../../../domain/kernel/event.ts'
import { leafLine, parseEventEntry } from '../../../domain/kernel/proof/event-leaf.ts'
import {
  type StreamsSealed,
  sealedStreamsEvents,
  sealedStreamsStream,
} from '../../../domain/kernel/proof/statements.ts'
import { streamEntry } from '../../../domain/kernel/proof/stream-row.ts'
import type { EventStore } from '../../../ports/event-store.ts'
import type { ProofLog } from '../../../ports/proof-log.ts'
import { readOrStop } from '../../../processors/runtime/read-or-stop.ts'
import { NotAsSealed } from '../export/paired-leaves.ts'
import { bundleEntries, type TileFiles } from '../open-tree.ts'
import { proofOf } from '../prove-event.ts'
import { storedEventAt } from '../stored-event-at.ts'
import { proveStreamRows, type StreamRow } from './stream-rows.ts'

/** The newest leaves of streams, as the archive stated them in a leaf of the tree. */
export interface StatedStreams {
  readonly index: bigint
  readonly entry: Uint8Array
  /** Data of the event, byte for byte as they are stored. */
  readonly data: string
  readonly size: bigint
  readonly rows: readonly StreamRow[]
}

interface Found {
  readonly event: RecordedEvent
  readonly data: StreamsSealed
}

type StatedFiles = TileFiles & Pick<ProofLog, 'streamRows'>

/** Statements that are looked at, the newest first: the rows of earlier ones are not kept. */
const mostStatements = 2

/** The newest statement on this tree of at most so many leaves; undefined if there is none. Throws `UnavailableError`. */
export const newestStatement = async (
  eventStore: Pick<EventStore, 'read'>,
  { origin, size }: Pick<Checkpoint, 'origin' | 'size'>,
  behind = -1n,
): Promise<Found | undefined> => {
  const events = await orThrow(eventStore.read(sealedStreamsStream, 'end', 'backward', mostStatements))
  for (const event of events) {
    const { data } = readOrStop(sealedStreamsEvents, event)
    const stated = BigInt(data.size)
    if (data.origin === origin && stated > behind && stated < size) return { event, data }
  }
  return undefined
}

/**
 * The newest statement that a head has of more than `behind` leaves, with the rows of some streams; undefined if there is none, or its
 * rows are not kept. Throws `UnavailableError`, `BrokenTree`.
 */
export const statedStreams = async (
  eventStore: Pick<EventStore, 'read' | 'readStored'>,
  files: StatedFiles,
  head: Checkpoint,
  streams: readonly string[],
  behind: bigint,
): Promise<StatedStreams | undefined> => {
  const found = await newestStatement(eventStore, head, behind)
  if (!found) return undefined
  const { event, data } = found
  const size = BigInt(data.size)
  const leaf = await leafFrom(files, head.size, size, event.revision)
  const text = leaf && (await files.streamRows(size))
  if (!leaf || !text) return undefined
  const rows = await proveStreamRows(text, data.root, new Set(streams.map(leafLine)))
  const stored = await storedEventAt(eventStore, event.position)
  if (!rows || typeof stored?.data !== 'string') return undefined
  return { ...leaf, data: stored.data, size, rows }
}

/** Throws `NotAsSealed` where a statement gives another leaf as the last of a stream than the tree has. */
export const expectStated = (
  { index, size, rows }: StatedStreams,
  newest: ReadonlyMap<string, { readonly index: bigint }>,
): void => {
  const leaves = new Map(rows.map(({ line, leaf }) => [line, leaf]))
  for (const [stream, one] of newest) {
    if (one.index >= size) continue
    const leaf = leaves.get(leafLine(stream))
    if (leaf !== one.index)
      throw new NotAsSealed(
        `leaf ${index} states that ${leaf === undefined ? 'no leaf' : `leaf ${leaf}`} was the last of ${stream} among ${size} leaves, and leaf ${one.index} of the tree is`,
      )
  }
}

/** As `export.json` has it. */
export const statedJson = async (
  files: TileFiles,
  head: Checkpoint,
  { index, entry, data, rows }: StatedStreams,
) => ({
  index: Number(index),
  entry: Buffer.from(entry).toString(),
  data,
  proof: (await proofOf(files, head, index, entry)).map(toBase64),
  rows: rows.map(({ line, leaf, index, proof }) => ({
    index: Number(index),
    entry: streamEntry(line, leaf),
    proof: proof.map(toBase64),
  })),
})

/** A statement stands soon behind the leaves that it counts. */
const leafFrom = async (
  files: TileFiles,
  size: bigint,
  from: bigint,
  revision: bigint,
): Promise<{ readonly index: bigint; readonly entry: Uint8Array } | undefined> => {
  const width = BigInt(tileWidth)
  for (let start = from - (from % width); start < size; start += width) {
    const count = size - start < width ? size - start : width
    const entries = await bundleEntries(files, start / width, Number(count))
    for (const [at, entry] of entries.slice(0, Number(count)).entries()) {
      const leaf = parseEventEntry(entry)
      const isIt =
        isRight(leaf) && leaf.right.stream === sealedStreamsStream && leaf.right.revision === revision
      if (isIt) return { index: start + BigInt(at), entry }
    }
  }
  return undefined
}
