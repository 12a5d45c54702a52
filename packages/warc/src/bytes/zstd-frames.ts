import { UnreadableArchive } from '../read-failure.ts'
import type { ByteWindow } from './byte-window.ts'
import type { ZstdDecoder } from './zstd-decoder.ts'
import { type ZstdHeader, zstdBlock, zstdHeader } from './zstd-frame.ts'

/** Logarithm of the window that is kept, as for `zstd --long`. The specification requires 23. */
export const windowLog = 27
const checksumLength = 4
const skippableHeader = 8

/** The Zstandard frames of a file, one behind the other. All methods throw `UnreadableArchive`. */
export class ZstdFrames {
  /** Offset in the file that faults are reported for. */
  place = 0
  readonly #file: ByteWindow
  readonly #decoder: ZstdDecoder
  readonly #dictionaryId: number | undefined
  /** Bytes up to the next part of the frame, and the current part. */
  #left = 0
  #part: 'none' | 'block' | 'checksum' | 'end' = 'none'
  #hasChecksum = false
  #isFlushed = true

  constructor(file: ByteWindow, decoder: ZstdDecoder, dictionaryId: number | undefined) {
    this.#file = file
    this.#decoder = decoder
    this.#dictionaryId = dictionaryId
  }

  /** False before the first frame, and behind each. */
  get isWithin(): boolean {
    return this.#part !== 'none'
  }

  /** Moves the window to a frame that is not to be skipped. Returns false at the end of the file. */
  find(): boolean {
    const file = this.#file
    while (file.has(1)) {
      if (!file.has(4)) throw this.#truncated()
      if (file.bytes.readUInt32LE(file.start) >>> 4 !== 0x184d2a5) return true
      if (!file.has(skippableHeader)) throw this.#truncated()
      this.#skip(skippableHeader + file.bytes.readUInt32LE(file.start + 4))
    }
    return false
  }

  /** Begins the frame at which the window stands. */
  begin(): void {
    const header = this.#header()
    this.#decoder.begin()
    this.#hasChecksum = header.hasChecksum
    this.#left = header.length
    this.#part = 'block'
    this.#isFlushed = true
  }

  /** Continues to decode within the frame; 0 only at its end. */
  decode(into: Buffer, from: number, to: number): number {
    const file = this.#file
    for (;;) {
      while (this.#left === 0 && this.#part !== 'end') this.#beginPart()
      if (this.#left === 0 && this.#isFlushed) return 0
      if (this.#left > 0 && !file.has(1)) throw this.#truncated()
      const { consumed, produced } = this.#step(into, from, to)
      if (consumed === 0 && produced === 0 && this.#left > 0) throw this.#damaged()
      file.advance(consumed)
      this.#left -= consumed
      this.#isFlushed = produced < to - from
      if (produced > 0) return produced
    }
  }

  /** Leaves a frame that was decoded up to its end. */
  leave(): void {
    this.#part = 'none'
  }

  corrupt(reason: string): UnreadableArchive {
    return new UnreadableArchive('corrupt', reason, this.place)
  }

  #header(): ZstdHeader {
    const header = zstdHeader(this.#file)
    if (header === 'truncated') throw this.#truncated()
    if (header === 'no frame')
      throw this.corrupt(
        'what stands behind the last Zstandard frame is none: the file is damaged, or something was appended',
      )
    if (header.windowSize > 2 ** windowLog)
      throw new UnreadableArchive(
        'unreadable',
        `a Zstandard frame needs a window of ${header.windowSize} bytes, and at most ${2 ** windowLog} are kept: compress the file with a smaller window (without --ultra and --long=${windowLog + 1})`,
        this.place,
      )
    if (header.dictionaryId !== 0 && header.dictionaryId !== this.#dictionaryId)
      throw this.corrupt(
        `a Zstandard frame wants the dictionary ${header.dictionaryId}, and the file has ${this.#dictionaryId ?? 'none'}`,
      )
    return header
  }

  #beginPart(): void {
    if (this.#part === 'checksum') {
      this.#left = this.#hasChecksum ? checksumLength : 0
      this.#part = 'end'
      return
    }
    if (!this.#file.has(3)) throw this.#truncated()
    const block = zstdBlock(this.#file.bytes, this.#file.start)
    if (!block) throw this.#damaged()
    this.#left = block.length
    if (block.isLast) this.#part = 'checksum'
  }

  /** The decoder, with the bytes that its step consumed and produced. */
  #step(into: Buffer, from: number, to: number): Pick<ZstdDecoder, 'consumed' | 'produced'> {
    const { bytes, start, end } = this.#file
    try {
      this.#decoder.step(bytes, start, Math.min(end, start + this.#left), into, from, to)
    } catch {
      throw this.#damaged()
    }
    return this.#decoder
  }

  #skip(count: number): void {
    for (let rest = count; rest > 0; ) {
      if (!this.#file.has(1)) throw this.#truncated()
      const skipped = Math.min(this.#file.available, rest)
      this.#file.advance(skipped)
      rest -= skipped
    }
  }

  #truncated(): UnreadableArchive {
    return new UnreadableArchive('truncated', 'the file ends within a Zstandard frame', this.place)
  }

  #damaged(): UnreadableArchive {
    return this.corrupt('a Zstandard frame is damaged: its data make no sense, or its checksum is wrong')
  }
}
