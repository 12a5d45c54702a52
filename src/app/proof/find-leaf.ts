import { tileWidth } from '@fonds/tlog'
import { entryForm, leafLine } from '../../domain/kernel/proof/event-leaf.ts'
import { bundleEntries, entryReader, type TileFiles } from './open-tree.ts'

/** An event by its id, or by its place in a stream. */
export type WantedEvent = { readonly id: string } | { readonly stream: string; readonly revision: bigint }

/** Or the newest event of some streams. */
export type WantedLeaf = WantedEvent | { readonly streams: readonly string[] }

interface FoundLeaf {
  readonly index: bigint
  readonly entry: Uint8Array
}

/**
 * Searches the entries of a tree for an event, the newest first; undefined if it has no leaf. Reads a bundle of 256 entries at a time:
 * first that of the leaf that it probably is (`near`).
 */
export const findLeaf = async (
  files: TileFiles,
  size: bigint,
  wanted: WantedLeaf,
  near?: bigint,
): Promise<FoundLeaf | undefined> => {
  const isWanted = matcher(wanted)
  if (near !== undefined && near < size) {
    const entry = await entryReader(files, size)(near)
    if (isWanted(entry)) return { index: near, entry }
  }
  const width = BigInt(tileWidth)
  for (let bundle = (size - 1n) / width; size > 0n && bundle >= 0n; bundle--) {
    const from = bundle * width
    const count = size - from < width ? Number(size - from) : tileWidth
    const entries = (await bundleEntries(files, bundle, count)).slice(0, count)
    const at = entries.findLastIndex(isWanted)
    if (at >= 0) return { index: from + BigInt(at), entry: entries[at]! }
  }
  return undefined
}

/** An entry has a field a line: form, stream, revision, id. */
const matcher = (wanted: WantedLeaf): ((entry: Uint8Array) => boolean) => {
  if ('streams' in wanted) {
    const starts = wanted.streams.map((stream) => startOf(stream))
    return (entry) => starts.some((start) => beginsWith(entry, start))
  }
  if ('stream' in wanted) {
    const start = startOf(wanted.stream, `${wanted.revision}\n`)
    return (entry) => beginsWith(entry, start)
  }
  const line = Buffer.from(`\n${leafLine(wanted.id)}\n`)
  return (entry) => {
    if (!Buffer.from(entry.buffer, entry.byteOffset, entry.length).includes(line)) return false
    return Buffer.from(entry).toString().split('\n')[3] === line.toString().slice(1, -1)
  }
}

const startOf = (stream: string, then = ''): Buffer =>
  Buffer.from(`${entryForm}\n${leafLine(stream)}\n${then}`)

const beginsWith = (entry: Uint8Array, start: Buffer): boolean =>
  Buffer.compare(entry.subarray(0, start.length), start) === 0
