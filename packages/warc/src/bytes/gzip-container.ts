import { crc32 } from 'node:zlib'
import { UnreadableArchive } from '../read-failure.ts'
import { beginsArc } from '../records/arc-line.ts'
import { ByteWindow } from './byte-window.ts'
import type { Container } from './container.ts'
import { gzipHeaderLength } from './gzip-header.ts'
import type { Inflater } from './inflater.ts'

/** Inflated bytes in memory: the head of a record has to fit. */
const capacity = 256 * 1024
/** Compressed bytes that zlib gets at least, if there are as many. */
const ahead = 64 * 1024
/** Bytes of the CRC-32 and the length of a member's content. */
const trailerLength = 8

/** Records in gzip members, each in one of its own; empty members may stand between them. */
export const createGzipContainer = (file: ByteWindow, inflater: Inflater): Container => {
  let offset = 0
  let crc = 0
  let size = 0
  let isEnded = false

  const truncated = () => new UnreadableArchive('truncated', 'the file ends within a gzip member', offset)
  const corrupt = (reason: string) => new UnreadableArchive('corrupt', reason, offset)

  const window = new ByteWindow(capacity, (into, from, to) => {
    if (isEnded) return 0
    for (;;) {
      const hasMore = file.has(ahead)
      if (!hasMore && file.available === 0) throw truncated()
      const produced = inflate(into, from, to)
      if (produced > 0 || isEnded) return produced
    }
  })

  const inflate = (into: Buffer, from: number, to: number): number => {
    try {
      inflater.step(file.bytes, file.start, file.end, into, from, to)
    } catch {
      throw corrupt('a gzip member is damaged: its compressed data make no sense')
    }
    const { consumed, produced } = inflater
    file.advance(consumed)
    size += produced
    crc = crc32(produced === into.length ? into : into.subarray(from, from + produced), crc)
    if (inflater.isEnded) endMember()
    return produced
  }

  const endMember = () => {
    if (!file.has(trailerLength)) throw truncated()
    const { bytes, start } = file
    if (bytes.readUInt32LE(start) !== crc)
      throw corrupt('a gzip member is damaged: its checksum (CRC-32) is wrong')
    if (bytes.readUInt32LE(start + 4) !== size % 2 ** 32)
      throw corrupt('a gzip member is damaged: its length (ISIZE) is wrong')
    file.advance(trailerLength)
    isEnded = true
  }

  const beginMember = () => {
    const header = gzipHeaderLength(file)
    if (header === 'truncated') throw truncated()
    if (header === 'no gzip')
      throw corrupt(
        'what stands behind the last gzip member is no gzip: the file is damaged, or something was appended',
      )
    if (typeof header === 'string') throw corrupt(`a gzip member has ${header}`)
    file.advance(header)
    inflater.begin()
    crc = 0
    size = 0
    isEnded = false
    window.restart(0)
  }

  return {
    isCompressed: true,
    window,
    get offset() {
      return offset
    },
    next: () => {
      while (file.has(1)) {
        offset = file.position
        beginMember()
        if (window.more()) return true
      }
      return false
    },
    skip: (count) => {
      if (window.available === 0 && !window.more()) return 0
      const skipped = Math.min(count, window.available)
      window.advance(skipped)
      return skipped
    },
    finish: () => {
      if (window.has(1))
        throw beginsRecord(window.latin1(window.start, window.end))
          ? new UnreadableArchive(
              'not-per-record',
              'the file is compressed as a whole, not record by record: no record can be reached; unpack it, and compress each record by itself',
              offset,
            )
          : corrupt('a gzip member is longer than its record: the length in the head of the record is wrong')
      return file.position
    },
  }
}

const beginsRecord = (text: string): boolean => text.startsWith('WARC/') || beginsArc(text)
