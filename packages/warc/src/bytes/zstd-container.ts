import { UnreadableArchive } from '../read-failure.ts'
import { ByteWindow } from './byte-window.ts'
import type { Container } from './container.ts'
import type { Inflater } from './inflater.ts'
import { createZstdDecoder } from './zstd-decoder.ts'
import { readDictionary } from './zstd-dictionary.ts'
import { zstdBlock, zstdHeader } from './zstd-frame.ts'

/** Decoded bytes in memory: the head of a record has to fit. */
const capacity = 256 * 1024
/** Logarithm of the window that is kept, as `zstd --long` has it. The specification wants 23. */
const windowLog = 27
const checksumLength = 4
const skippableHeader = 8
/** First bytes of each record. */
const recordBegin = 'WARC/'

/**
 * Records in Zstandard frames (IIPC, Zstandard Compression for WARC Files): each in one frame, or in several of its own; frames to be
 * skipped may stand between them, and a dictionary before them all. The decoder checks the checksum and the length that a frame has.
 */
export const createZstdContainer = (file: ByteWindow, inflater: Inflater): Container => {
  const dictionary = readDictionary(file)
  const decoder = createZstdDecoder(windowLog, dictionary?.bytes, inflater)
  // One file is read at a time.
  for (const former of inflater.opened.splice(0)) former.close()
  inflater.opened.push(decoder)

  /** Where the record begins. */
  let offset = 0
  /** Behind the last frame of the record. */
  let end = 0
  /** Bytes that were decoded before they were asked for. */
  let pending: Buffer = Buffer.alloc(0)
  /** The beginning of the next record's first frame, or why it cannot be read. */
  let ahead: { readonly bytes: Buffer; readonly at: number } | UnreadableArchive | undefined
  /** Bytes up to the next part of the frame, and which part that is. */
  let left = 0
  let part: 'none' | 'block' | 'checksum' | 'end' = 'none'
  let hasChecksum = false
  let isFlushed = true
  /** Byte that a fault is told of. */
  let place = 0

  const truncated = () => new UnreadableArchive('truncated', 'the file ends within a Zstandard frame', place)
  const corrupt = (reason: string) => new UnreadableArchive('corrupt', reason, place)
  const damaged = () =>
    corrupt('a Zstandard frame is damaged: its data make no sense, or its checksum is wrong')

  const skip = (count: number) => {
    for (let rest = count; rest > 0; ) {
      if (!file.has(1)) throw truncated()
      const skipped = Math.min(file.available, rest)
      file.advance(skipped)
      rest -= skipped
    }
  }

  /** Leaves the window at a frame that is not to be skipped; false at the end of the file. */
  const findFrame = (): boolean => {
    while (file.has(1)) {
      if (!file.has(4)) throw truncated()
      if (file.bytes.readUInt32LE(file.start) >>> 4 !== 0x184d2a5) return true
      if (!file.has(skippableHeader)) throw truncated()
      skip(skippableHeader + file.bytes.readUInt32LE(file.start + 4))
    }
    return false
  }

  const beginFrame = () => {
    const header = zstdHeader(file)
    if (header === 'truncated') throw truncated()
    if (header === 'no frame')
      throw corrupt(
        'what stands behind the last Zstandard frame is none: the file is damaged, or something was appended',
      )
    if (header.windowSize > 2 ** windowLog)
      throw new UnreadableArchive(
        'unreadable',
        `a Zstandard frame needs a window of ${header.windowSize} bytes, and at most ${2 ** windowLog} are kept: compress the file with a smaller window (without --ultra and --long=${windowLog + 1})`,
        place,
      )
    if (header.dictionaryId !== 0 && header.dictionaryId !== dictionary?.id)
      throw corrupt(
        `a Zstandard frame wants the dictionary ${header.dictionaryId}, and the file has ${dictionary ? dictionary.id : 'none'}`,
      )
    decoder.begin()
    hasChecksum = header.hasChecksum
    left = header.length
    part = 'block'
    isFlushed = true
  }

  const beginPart = () => {
    if (part === 'checksum') {
      left = hasChecksum ? checksumLength : 0
      part = 'end'
      return
    }
    if (!file.has(3)) throw truncated()
    const block = zstdBlock(file.bytes, file.start)
    if (!block) throw damaged()
    left = block.length
    if (block.isLast) part = 'checksum'
  }

  /** Decodes on within the frame; 0 at its end alone. */
  const decode = (into: Buffer, from: number, to: number): number => {
    for (;;) {
      while (left === 0 && part !== 'end') beginPart()
      if (left === 0 && isFlushed) return 0
      if (left > 0 && !file.has(1)) throw truncated()
      try {
        decoder.step(file.bytes, file.start, Math.min(file.end, file.start + left), into, from, to)
      } catch {
        throw damaged()
      }
      const { consumed, produced } = decoder
      if (consumed === 0 && produced === 0 && left > 0) throw damaged()
      file.advance(consumed)
      left -= consumed
      isFlushed = produced < to - from
      if (produced > 0) return produced
    }
  }

  const decodeBegin = (): Buffer => {
    const bytes = Buffer.alloc(recordBegin.length)
    let length = 0
    while (length < bytes.length) {
      const produced = decode(bytes, length, bytes.length)
      if (produced === 0) break
      length += produced
    }
    return bytes.subarray(0, length)
  }

  /** To the next frame that is not empty; whether the record goes on in it. */
  const goOn = (): boolean => {
    for (place = file.position; findFrame(); place = file.position) {
      place = file.position
      beginFrame()
      const bytes = decodeBegin()
      if (bytes.length === 0) {
        part = 'none'
        continue
      }
      if (bytes.toString('latin1') === recordBegin) {
        ahead = { bytes, at: place }
        return false
      }
      pending = bytes
      return true
    }
    return false
  }

  /** A damaged next frame is no fault of this record, unless the record ends too early. */
  const goOnIfGood = (): boolean => {
    try {
      return goOn()
    } catch (error) {
      if (!(error instanceof UnreadableArchive)) throw error
      ahead = error
      return false
    }
  }

  const window = new ByteWindow(capacity, (into, from, to) => {
    for (;;) {
      if (pending.length > 0) {
        const used = pending.copy(into, from, 0, to - from)
        pending = pending.subarray(used)
        return used
      }
      if (ahead || part === 'none') return 0
      place = offset
      const produced = decode(into, from, to)
      if (produced > 0) return produced
      part = 'none'
      end = file.position
      if (!goOnIfGood()) return 0
    }
  })

  return {
    isCompressed: true,
    window,
    get offset() {
      return offset
    },
    next: () => {
      window.restart(0)
      const isMore = !ahead && goOn()
      if (ahead instanceof UnreadableArchive) throw ahead
      offset = ahead ? ahead.at : place
      if (ahead) pending = ahead.bytes
      const isThere = isMore || ahead !== undefined
      ahead = undefined
      return isThere
    },
    skip: (count) => {
      if (window.available === 0 && !window.more()) return 0
      const skipped = Math.min(count, window.available)
      window.advance(skipped)
      return skipped
    },
    finish: () => {
      place = offset
      if (window.has(1))
        throw window.latin1(window.start, window.start + recordBegin.length) === recordBegin
          ? new UnreadableArchive(
              'not-per-record',
              'the file is compressed as a whole, not record by record: no record can be reached; unpack it, and compress each record by itself',
              offset,
            )
          : corrupt(
              'Zstandard frames hold more than their record: the length in the head of the record is wrong',
            )
      return end
    },
  }
}
