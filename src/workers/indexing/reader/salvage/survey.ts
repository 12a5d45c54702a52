import { gzipSync } from 'node:zlib'
import type { Loss } from '../../../../domain/indexing/outcome.ts'
import type { Inflater } from '../bytes/inflater.ts'
import { type Breathe, readAll } from '../read-archive.ts'
import { type ReadFailure, type ReadFailureCode, UnreadableArchive } from '../read-failure.ts'
import type { Source } from '../source.ts'
import { createGzipSearch } from './gzip-search.ts'
import { joinParts, type Part } from './parts.ts'
import { createPlainSearch } from './plain-search.ts'
import { readFull, type Search } from './search.ts'

export interface Survey {
  /** Of whole records, one behind the other. */
  readonly parts: readonly Part[]
  /** What is to stand before them: where the first record of an ARC file is lost, one that says as little as can be. */
  readonly head: Buffer
  /** All that is in none of the parts; undefined where there is nothing. */
  readonly loss: Loss | undefined
}

/** Bytes that may be looked at in vain: so many times the file's size, and so many beside. */
const patience = { times: 16, bytes: 64 * 1024 * 1024 }
/** Of a source that may be left soon, at once. */
const readBytes = 64 * 1024
const maxLost = 1000

/**
 * Reads a file as far as it is good, and goes on behind what is not, at the next record that is whole. Throws `UnreadableArchive` as
 * reading it does, where no record is whole.
 */
export const survey = async (
  file: Source,
  inflater: Inflater,
  name: string,
  breathe: Breathe,
): Promise<Survey> => {
  const { isGzip, isArc } = shapeOf(file, name)
  const head = isArc ? arcHead(isGzip) : nothing
  let left = patience.times * file.size + patience.bytes
  const spend = (bytes: number): boolean => {
    left -= bytes
    return left > 0
  }
  const tools = { file, isArc, spend, breathe }
  const search: Search = isGzip ? createGzipSearch(tools, inflater) : createPlainSearch(tools)

  /** Reads from there as far as it is good. */
  const readFrom = async (from: number): Promise<{ readonly to: number; readonly failure?: ReadFailure }> => {
    let looked = 0
    const joined = joinParts(file, [{ from, to: file.size }], from === 0 ? nothing : head)
    const source = {
      size: joined.size,
      read: (offset: number, buffer: Buffer) => {
        const read = joined.read(offset, buffer.subarray(0, readBytes))
        looked += read
        return read
      },
    }
    try {
      await readAll(source, inflater, { name, kind: 'content' }, () => {}, breathe)
      return { to: file.size }
    } catch (error) {
      if (!(error instanceof UnreadableArchive)) throw error
      const { code, offset = 0 } = error.failure
      if (isFinal.has(code) || (code === 'not-per-record' && from + offset === 0)) throw error
      const to = Math.max(from, joined.placeOf(offset))
      // Each whole record pays for the look behind it.
      if (to === from) spend(looked)
      return { to, failure: error.failure }
    }
  }

  const parts: Part[] = []
  const lost: Loss['lost'][number][] = []
  let bytes = 0
  let places = 0
  const lose = (from: number, to: number, reason: string) => {
    bytes += to - from
    if (places++ < maxLost) lost.push({ from, to, reason })
  }

  let end = 0
  let why: ReadFailure | undefined
  for (let from: number | undefined = 0; from !== undefined && from < file.size; ) {
    const { to, failure } = await readFrom(from)
    if (to > from) {
      if (from > end) lose(end, from, why?.reason ?? '')
      parts.push({ from, to })
      end = to
      why = failure
    }
    if (!failure) break
    why ??= failure
    from = left > 0 ? ((await search.endOf(to)) ?? (await search.next(to + 1))) : undefined
  }
  if (why && parts.length === 0) throw new UnreadableArchive(why.code, why.reason, why.offset)
  if (why && end < file.size) lose(end, file.size, left > 0 ? why.reason : tooMuch)
  return {
    parts,
    head: parts[0]?.from === 0 ? nothing : head,
    loss: places > 0 ? { bytes, places, lost } : undefined,
  }
}

const tooMuch = 'too many places look like the beginning of a record and are none: the rest was not searched'

/** Nothing is wrong with the file, or nothing can be saved of it. */
const isFinal: ReadonlySet<ReadFailureCode> = new Set(['growing', 'not-found', 'unreadable', 'empty'])

/** By its content, or else by its name. */
const shapeOf = (file: Source, name: string): { readonly isGzip: boolean; readonly isArc: boolean } => {
  const begin = readFull(file, 0, Buffer.alloc(9)).toString('latin1')
  const isArcName = /\.arc(\.gz)?$/i.test(name)
  if (begin.startsWith('WARC/')) return { isGzip: false, isArc: false }
  if (/^filedesc:/i.test(begin)) return { isGzip: false, isArc: true }
  return { isGzip: begin.startsWith('\x1f\x8b') || /\.gz$/i.test(name), isArc: isArcName }
}

const nothing = Buffer.alloc(0)

/** The first record of an ARC file. */
const arcHead = (isGzip: boolean): Buffer => {
  const block = '1 0 none\nURL IP-address Archive-date Content-type Archive-length\n'
  const head = Buffer.from(`filedesc://none 0.0.0.0 19960101000000 text/plain ${block.length}\n${block}\n`)
  return isGzip ? gzipSync(head) : head
}
