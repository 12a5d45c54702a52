import { gzipSync } from 'node:zlib'
import type { Inflater } from '../bytes/inflater.ts'
import { dictionaryFrame, maxDictionaryBytes } from '../bytes/zstd-dictionary.ts'
import { openContainer, type Packing, packingOf } from '../open-container.ts'
import { openRecords, type Visit } from '../open-records.ts'
import { type OnProgress, stepBytes } from '../progress.ts'
import { type ReadFailure, type ReadFailureCode, UnreadableArchive } from '../read-failure.ts'
import type { Source } from '../source.ts'
import { createGzipSearch } from './gzip-search.ts'
import { createLosses, type Loss } from './losses.ts'
import { joinParts, type Part } from './parts.ts'
import { createPlainSearch } from './plain-search.ts'
import { provenEnd } from './proven-end.ts'
import { readFull, type Search, type SearchTools } from './search.ts'
import { createZstdSearch } from './zstd-search.ts'

export interface Survey {
  /** Stretches of whole records, in the order of the file. */
  readonly parts: readonly Part[]
  /** Head before the parts: the dictionary of Zstandard, or a minimal first record for a lost one of ARC. */
  readonly head: Buffer
  /** Everything that is in none of the parts; undefined if there is nothing. */
  readonly loss: Loss | undefined
}

/** Offset up to which a file is good, and the failure there; none at its end. */
interface Reached {
  readonly to: number
  readonly failure?: ReadFailure
}

/** Bytes that may be searched in vain: a multiple of the file's size, and a constant. */
const patience = { times: 16, bytes: 64 * 1024 * 1024 }
/** Bytes read at once: most apparent records are dismissed after the first of them. */
const readBytes = 64 * 1024

/**
 * Reads a file as far as it is good, and continues behind damage at the next whole record. Throws
 * `UnreadableArchive`, as a reader does, if no record is whole.
 */
export const survey = async (
  file: Source,
  inflater: Inflater,
  name: string,
  check: Visit,
  onProgress: OnProgress,
): Promise<Survey> => {
  const { packing, isArc } = shapeOf(file, inflater, name)
  const head = isArc ? arcHead(packing) : packing === 'zstd' ? zstdHead(file) : nothing
  const budget = createBudget(patience.times * file.size + patience.bytes)
  const tools: SearchTools = { file, isArc, spend: budget.spend, onProgress }
  const search = searchOf(packing, tools, inflater)
  const reading = createReading({ file, inflater, head, check, onProgress, spend: budget.spend })
  const readOn = readOnOver(reading.readFrom, endAlone(packing, tools, search))
  const parts: Part[] = []
  const losses = createLosses()
  let end = 0
  let first: ReadFailure | undefined
  let why: ReadFailure | undefined
  for (let from: number | undefined = 0; from !== undefined && from < file.size; ) {
    const { to, failure }: Reached = await readOn(from)
    if (to > from) {
      if (from > end) losses.add(end, from, why?.reason ?? '')
      parts.push({ from, to })
      end = to
      why = failure
    }
    if (!failure) break
    why ??= failure
    first ??= failure
    from = budget.isLeft()
      ? ((await search.endOf(to)) ?? (await search.next(await search.within(to))))
      : undefined
  }
  if (first && reading.records() === 0) throw new UnreadableArchive(first.code, first.reason, first.offset)
  if (why && end < file.size) losses.add(end, file.size, budget.isLeft() ? why.reason : tooMuch)
  return { parts, head: parts[0]?.from === 0 ? nothing : head, loss: losses.all() }
}

/** Bytes that may still be searched in vain. */
const createBudget = (bytes: number) => {
  let left = bytes
  return {
    /** Returns false if none are left. */
    spend: (bytes: number): boolean => {
      left -= bytes
      return left > 0
    },
    isLeft: (): boolean => left > 0,
  }
}

const searchOf = (packing: Packing, tools: SearchTools, inflater: Inflater): Search => {
  switch (packing) {
    case 'none':
      return createPlainSearch(tools)
    case 'gzip':
      return createGzipSearch(tools, inflater)
    case 'zstd':
      return createZstdSearch(tools)
  }
}

type ReadFrom = (from: number, until?: number) => Promise<Reached>

interface ReadingOptions {
  readonly file: Source
  readonly inflater: Inflater
  /** Head before any part but the beginning of the file. */
  readonly head: Buffer
  readonly check: Visit
  readonly onProgress: OnProgress
  readonly spend: (bytes: number) => boolean
}

/** Reads whole records, and counts them. */
const createReading = ({ file, inflater, head, check, onProgress, spend }: ReadingOptions) => {
  let records = 0
  /** Reads from an offset on as far as the file is good. */
  const readFrom: ReadFrom = async (from, until = file.size) => {
    let scanned = 0
    let reading: { readonly records: number } | undefined
    const joined = joinParts(file, [{ from, to: until }], from === 0 ? nothing : head)
    const source = {
      size: joined.size,
      read: (offset: number, buffer: Buffer) => {
        const read = joined.read(offset, buffer.subarray(0, readBytes))
        scanned += read
        return read
      },
    }
    try {
      const { read, step } = openRecords(source, inflater, check)
      reading = read
      while (step(stepBytes)) await onProgress()
      return { to: until }
    } catch (error) {
      if (!(error instanceof UnreadableArchive)) throw error
      const { code, offset = 0 } = error.failure
      const isOfFile = error.failure.offset === undefined && isFinal.has(code)
      if (isOfFile || (code === 'not-per-record' && from + offset === 0)) throw error
      const to = Math.max(from, joined.placeOf(offset))
      // The search behind a whole record is not counted.
      if (!reading?.records) spend(scanned)
      return { to, failure: error.failure }
    } finally {
      records += reading?.records ?? 0
    }
  }
  return { readFrom, records: (): number => records }
}

type EndAlone = (from: number) => Promise<number | undefined>

/** End of a record that may be whole, though what stands behind it is damaged and is no part of it. */
const endAlone = (packing: Packing, tools: SearchTools, search: Search): EndAlone => {
  // A damaged Zstandard frame may look like a part of the record before.
  if (packing === 'zstd') return search.endOf
  return packing === 'none' && !tools.isArc ? (from) => provenEnd(tools, from) : async () => undefined
}

const readOnOver =
  (readFrom: ReadFrom, endAlone: EndAlone): ReadFrom =>
  async (from) => {
    const reached = await readFrom(from)
    if (!reached.failure) return reached
    const end = await endAlone(reached.to)
    if (end === undefined) return reached
    const alone = await readFrom(reached.to, end)
    return alone.failure ? reached : { ...reached, to: end }
  }

const tooMuch = 'too many places look like the beginning of a record and are none: the rest was not searched'

/** Failures without an offset that concern the whole file. */
const isFinal: ReadonlySet<ReadFailureCode> = new Set(['growing', 'not-found', 'unreadable', 'empty'])

/** Detects compression and format by the content or, if that cannot be read, by the name. */
const shapeOf = (
  file: Source,
  inflater: Inflater,
  name: string,
): { readonly packing: Packing; readonly isArc: boolean } => {
  const suffix = suffixOf(file, inflater) ?? name.toLowerCase()
  const packing = packingOf(readFull(file, 0, Buffer.alloc(4)).toString('latin1'))
  const bySuffix = suffix.endsWith('.gz') ? 'gzip' : suffix.endsWith('.zst') ? 'zstd' : 'none'
  return { packing: packing === 'none' ? bySuffix : packing, isArc: /\.arc(\.gz)?$/.test(suffix) }
}

const suffixOf = (file: Source, inflater: Inflater): string | undefined => {
  try {
    return openContainer(file, inflater).suffix
  } catch (error) {
    if (error instanceof UnreadableArchive) return undefined
    throw error
  }
}

const nothing = Buffer.alloc(0)

/** The first record of an ARC file. */
const arcHead = (packing: Packing): Buffer => {
  const block = '1 0 none\nURL IP-address Archive-date Content-type Archive-length\n'
  const head = Buffer.from(`filedesc://none 0.0.0.0 19960101000000 text/plain ${block.length}\n${block}\n`)
  return packing === 'gzip' ? gzipSync(head) : head
}

/** The dictionary that the file begins with, in its frame. */
const zstdHead = (file: Source): Buffer => {
  const begin = readFull(file, 0, Buffer.alloc(8))
  if (begin.length < 8 || begin.readUInt32LE() !== dictionaryFrame) return nothing
  const length = begin.readUInt32LE(4)
  return length <= maxDictionaryBytes ? readFull(file, 0, Buffer.alloc(8 + length)) : nothing
}
