/**
 * Writes bytes into the buffer, between `from` and `to`, those at `position` of the whole; gives how many: 0 at the end alone.
 */
export type Pull = (into: Buffer, from: number, to: number, position: number) => number

/** A part of a long run of bytes, in memory: what is behind is dropped, what is ahead is pulled. */
export class ByteWindow {
  readonly bytes: Buffer
  /** The bytes from `start` up to `end` are there. */
  start = 0
  end = 0
  /** Position of `start` in the whole. */
  position = 0
  readonly #pull: Pull

  constructor(capacity: number, pull: Pull) {
    this.bytes = Buffer.allocUnsafeSlow(capacity)
    this.#pull = pull
  }

  get available(): number {
    return this.end - this.start
  }

  /** Whether there are so many bytes, of those that fit. */
  has(count: number): boolean {
    while (this.end - this.start < count) if (!this.more()) return false
    return true
  }

  /** Pulls what fits; false where all is there, or nothing fits. */
  more(): boolean {
    const { bytes } = this
    if (this.start === this.end) {
      this.start = 0
      this.end = 0
    } else if (this.start > 0 && this.end === bytes.length) {
      bytes.copyWithin(0, this.start, this.end)
      this.end -= this.start
      this.start = 0
    }
    if (this.end === bytes.length) return false
    const pulled = this.#pull(bytes, this.end, bytes.length, this.position + this.end - this.start)
    this.end += pulled
    return pulled > 0
  }

  advance(count: number): void {
    this.start += count
    this.position += count
  }

  /** Over bytes that need not be pulled. */
  jumpTo(position: number): void {
    const count = position - this.position
    this.start = count <= this.available ? this.start + count : this.end
    this.position = position
  }

  /** Drops all; the next pull begins at `position`. */
  restart(position: number): void {
    this.start = 0
    this.end = 0
    this.position = position
  }

  latin1(from: number, to: number): string {
    return this.bytes.toString('latin1', from, to)
  }
}
