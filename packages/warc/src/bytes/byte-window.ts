/**
 * Writes bytes into the buffer, between `from` and `to`: those at `position` of the whole. Returns their
 * number, 0 only at the end.
 */
export type Pull = (into: Buffer, from: number, to: number, position: number) => number

/** A window of a long sequence of bytes, in memory: bytes behind it are dropped, bytes ahead are pulled. */
export class ByteWindow {
  readonly bytes: Buffer
  /** Bytes are available from `start` up to `end`. */
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

  /** Returns true if `count` bytes are available, as far as they fit. */
  has(count: number): boolean {
    while (this.end - this.start < count) if (!this.more()) return false
    return true
  }

  /** Pulls as many bytes as fit. Returns false if all are there, or none fits. */
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

  /** Moves to a position; bytes before it need not be pulled. */
  jumpTo(position: number): void {
    const count = position - this.position
    this.start = count <= this.available ? this.start + count : this.end
    this.position = position
  }

  /** Drops all bytes; the next pull begins at `position`. */
  restart(position: number): void {
    this.start = 0
    this.end = 0
    this.position = position
  }

  latin1(from: number, to: number): string {
    return this.bytes.toString('latin1', from, to)
  }
}
