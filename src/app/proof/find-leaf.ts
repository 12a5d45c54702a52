import { tileWidth } from '@fonds/tlog'
import { leafText } from '../../domain/kernel/proof/event-leaf.ts'
import { bundleEntries, entryReader, type TileFiles } from './open-tree.ts'

/** An event by its id, or by its place in a stream. */
export type WantedEvent = { readonly id: string } | { readonly stream: string; readonly revision: bigint }

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
  wanted: WantedEvent,
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
const matcher = (wanted: WantedEvent): ((entry: Uint8Array) => boolean) => {
  const begin = Buffer.from('fonds.event/v1\n')
  if ('stream' in wanted) {
    const text = leafText(wanted.stream)
    const stream = typeof text === 'string' ? JSON.stringify(text) : `sha256:${text.sha256}`
    const start = Buffer.concat([begin, Buffer.from(`${stream}\n${wanted.revision}\n`)])
    return (entry) => Buffer.compare(entry.subarray(0, start.length), start) === 0
  }
  const text = leafText(wanted.id)
  const line = Buffer.from(`\n${typeof text === 'string' ? JSON.stringify(text) : `sha256:${text.sha256}`}\n`)
  return (entry) => {
    if (!Buffer.from(entry.buffer, entry.byteOffset, entry.length).includes(line)) return false
    return Buffer.from(entry).toString().split('\n')[3] === line.toString().slice(1, -1)
  }
}
