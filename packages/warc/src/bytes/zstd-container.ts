import { UnreadableArchive } from '../read-failure.ts'
import { ByteWindow } from './byte-window.ts'
import type { Container } from './container.ts'
import type { Inflater } from './inflater.ts'
import { createZstdDecoder } from './zstd-decoder.ts'
import { readDictionary } from './zstd-dictionary.ts'
import { windowLog, ZstdFrames } from './zstd-frames.ts'

/** Decoded bytes in memory: the head of a record has to fit. */
const capacity = 256 * 1024
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
  return new ZstdContainer(file, new ZstdFrames(file, decoder, dictionary?.id))
}

class ZstdContainer implements Container {
  readonly isCompressed = true
  readonly window = new ByteWindow(capacity, (into, from, to) => this.#fill(into, from, to))
  /** Offset in the file at which the record begins. */
  offset = 0
  readonly #file: ByteWindow
  readonly #frames: ZstdFrames
  /** Offset behind the last frame of the record. */
  #end = 0
  /** Bytes that were decoded before they were requested. */
  #pending: Buffer = Buffer.alloc(0)
  /** The beginning of the next record's first frame, or why it cannot be read. */
  #ahead: { readonly bytes: Buffer; readonly at: number } | UnreadableArchive | undefined

  constructor(file: ByteWindow, frames: ZstdFrames) {
    this.#file = file
    this.#frames = frames
  }

  next(): boolean {
    this.window.restart(0)
    const isMore = !this.#ahead && this.#goOn()
    const ahead = this.#ahead
    if (ahead instanceof UnreadableArchive) throw ahead
    this.offset = ahead ? ahead.at : this.#frames.place
    if (ahead) this.#pending = ahead.bytes
    this.#ahead = undefined
    return isMore || ahead !== undefined
  }

  skip(count: number): number {
    const { window } = this
    if (window.available === 0 && !window.more()) return 0
    const skipped = Math.min(count, window.available)
    window.advance(skipped)
    return skipped
  }

  finish(): number {
    const { window, offset } = this
    this.#frames.place = offset
    if (window.has(1))
      throw window.latin1(window.start, window.start + recordBegin.length) === recordBegin
        ? new UnreadableArchive(
            'not-per-record',
            'the file is compressed as a whole, not record by record: no record can be reached; unpack it, and compress each record by itself',
            offset,
          )
        : this.#frames.corrupt(
            'Zstandard frames hold more than their record: the length in the head of the record is wrong',
          )
    return this.#end
  }

  /** Puts bytes of the record into the window; 0 at its end. */
  #fill(into: Buffer, from: number, to: number): number {
    const frames = this.#frames
    for (;;) {
      if (this.#pending.length > 0) {
        const used = this.#pending.copy(into, from, 0, to - from)
        this.#pending = this.#pending.subarray(used)
        return used
      }
      if (this.#ahead || !frames.isWithin) return 0
      frames.place = this.offset
      const produced = frames.decode(into, from, to)
      if (produced > 0) return produced
      frames.leave()
      this.#end = this.#file.position
      if (!this.#goOnIfGood()) return 0
    }
  }

  /** Moves to the next frame that is not empty. Returns true if the record continues in it. */
  #goOn(): boolean {
    const frames = this.#frames
    for (frames.place = this.#file.position; frames.find(); frames.place = this.#file.position) {
      frames.place = this.#file.position
      frames.begin()
      const bytes = this.#decodeBegin()
      if (bytes.length === 0) {
        frames.leave()
        continue
      }
      if (bytes.toString('latin1') === recordBegin) {
        this.#ahead = { bytes, at: frames.place }
        return false
      }
      this.#pending = bytes
      return true
    }
    return false
  }

  /** As `#goOn`. A damaged next frame is no fault of this record, unless the record ends too early. */
  #goOnIfGood(): boolean {
    try {
      return this.#goOn()
    } catch (error) {
      if (!(error instanceof UnreadableArchive)) throw error
      this.#ahead = error
      return false
    }
  }

  /** The first bytes of the frame, as many as records begin with. */
  #decodeBegin(): Buffer {
    const bytes = Buffer.alloc(recordBegin.length)
    let length = 0
    while (length < bytes.length) {
      const produced = this.#frames.decode(bytes, length, bytes.length)
      if (produced === 0) break
      length += produced
    }
    return bytes.subarray(0, length)
  }
}
