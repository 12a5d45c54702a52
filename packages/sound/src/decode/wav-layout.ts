import type { ReadBytes } from './sniff.ts'
import { Unreadable } from './sound.ts'
import { type Format, formatOf } from './wav-format.ts'

/* Where the sound is in RIFF WAVE, RF64 and BW64: the chunks, and whether their lengths can be true. */

/** The sound of a file, or of one that is appended to it. */
export interface WavPart {
  readonly format: Format
  readonly from: number
  /** Offset of its end; infinite if that is the end of the file. */
  readonly to: number
  /** Bytes that the file states, if it may end before them. */
  readonly stated?: number
}

/** Reads the part that begins at `start`. Throws `Unreadable`. */
export const wavPart = async (read: ReadBytes, start: number): Promise<WavPart> => {
  let format: Format | undefined
  let largeSize: number | undefined
  for (let at = start + 12, chunks = 0; ; chunks++) {
    let head = await read(8, at)
    if (head.length < 8 || chunks === maxChunks) {
      at = await chunkNamed(format ? 'data' : 'fmt ', read, start)
      head = await read(8, at)
    }
    const id = head.toString('latin1', 0, 4)
    const size = head.readUInt32LE(4)
    at += 8
    if (id === 'data') {
      if (!format)
        throw new Unreadable('does not say how its samples are coded before they begin; export it again')
      return {
        format,
        from: at,
        ...(await extent(read, at, largeSize && size === unknown ? largeSize : size)),
      }
    }
    if (id === 'fmt ') format = formatOf(await read(Math.min(size, 4096), at))
    if (id === 'ds64' && size >= 16) largeSize = Number((await read(16, at)).readBigUInt64LE(8))
    at += size + (size % 2)
  }
}

/** Finds a chunk although the length of one before it is wrong. */
const chunkNamed = async (id: string, read: ReadBytes, start: number): Promise<number> => {
  const at = (await read(searchedBytes, start)).indexOf(id, 12, 'latin1')
  if (at < 0) throw new Unreadable(`holds no sound: it has no ${id.trim()} chunk; export it again`)
  return start + at
}

const searchedBytes = 1024 * 1024

/** Where the sound ends that begins at `from`, and states to have `size` bytes. */
const extent = async (
  read: ReadBytes,
  from: number,
  size: number,
): Promise<Pick<WavPart, 'to' | 'stated'>> => {
  const end = from + size
  if (isMadeUp(size)) return { to: Number.POSITIVE_INFINITY }
  const isThere = size > 0 && (await read(1, end - 1)).length > 0
  if (!isThere) return { to: Number.POSITIVE_INFINITY, ...(size > 0 && { stated: size }) }
  return { to: (await endsAt(read, end)) ? end : Number.POSITIVE_INFINITY }
}

/**
 * Sizes that programs write which do not know it yet: 7fffffff, 7ffff000, 80000000, ffffffff and the like, from which
 * they took the length of their headers.
 */
const isMadeUp = (size: number): boolean =>
  (size >= 0x7fff_0000 && size <= 0x8000_0000) ||
  (size >= 0xffff_0000 && size <= unknown) ||
  size > Number.MAX_SAFE_INTEGER / 2

const unknown = 0xffff_ffff

/** Offset of the first byte of a file that is appended to the sound that ends at `end`. */
export const appendedAt = async (read: ReadBytes, end: number): Promise<number | undefined> => {
  for (let at = end, chunks = 0; chunks < maxChunks; chunks++) {
    const chunk = await chunkAt(read, at)
    if (!chunk) return undefined
    if (isForm(chunk.id))
      return (await read(4, chunk.at + 8)).toString('latin1') === 'WAVE' ? chunk.at : undefined
    at = chunk.end
  }
  return undefined
}

/**
 * True if a file may end at `end`, with other chunks or files behind it. Otherwise the stated size is too small, as that
 * of a file of more than 4 GiB.
 */
const endsAt = async (read: ReadBytes, end: number): Promise<boolean> => {
  for (let at = end, chunks = 0; chunks < maxChunks; chunks++) {
    if ((await read(restBytes, at)).length < restBytes) return true
    const chunk = await chunkAt(read, at)
    if (!chunk) return false
    if (isForm(chunk.id)) return true
    const isWhole = (await read(1, chunk.end - 1)).length > 0
    if (!isWhole) return usualBehindSound.test(chunk.id)
    at = chunk.end
  }
  return true
}

/** Any four letters may be the name of a chunk, or sound. */
const usualBehindSound =
  /^(LIST|id3 |ID3 |bext|iXML|cue |JUNK|junk|FLLR|PAD |fact|smpl|inst|axml|PEAK|cart|DISP|_PMX)$/

const maxChunks = 1000
/** Fewer bytes behind the sound are no sound. */
const restBytes = 4096

const isForm = (id: string): boolean => ['RIFF', 'RF64', 'BW64'].includes(id)

/** The chunk at `at`, or one byte later: chunks begin at even offsets, and not all programs pad them. */
const chunkAt = async (
  read: ReadBytes,
  at: number,
): Promise<{ readonly id: string; readonly at: number; readonly end: number } | undefined> => {
  const head = await read(9, at)
  for (const shift of [0, 1]) {
    const id = head.toString('latin1', shift, shift + 4)
    if (head.length < shift + 8 || !/^[A-Za-z][A-Za-z0-9_ -]{3}$/.test(id)) continue
    const size = head.readUInt32LE(shift + 4)
    return { id, at: at + shift, end: at + shift + 8 + size }
  }
  return undefined
}
