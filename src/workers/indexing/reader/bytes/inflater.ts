import { constants, createInflateRaw } from 'node:zlib'

/** What Node's zlib streams stand on: one synchronous step of zlib, over the buffers of the caller. */
interface ZlibHandle {
  writeSync(
    flush: number,
    input: Buffer,
    inputStart: number,
    inputLength: number,
    output: Buffer,
    outputStart: number,
    outputLength: number,
  ): void
  reset(): void
  onerror: (message: string) => void
}

/** Free bytes of the output, and unread bytes of the input, after a step. */
type Left = readonly [output: number, input: number] & Uint32Array

/**
 * Raw deflate, a step at a time, in constant memory. Node's public calls either inflate a member whole into memory or cross to
 * another thread for each chunk: they take twice as long (bench/warc.ts).
 */
export interface Inflater {
  /** Of the last step. */
  consumed: number
  produced: number
  /** Whether the stream is at its end. */
  isEnded: boolean
  begin(): void
  /** Reads `input` from `inputStart` on, fills `output` between the two places. Throws where the stream is damaged. */
  step(
    input: Buffer,
    inputStart: number,
    inputEnd: number,
    output: Buffer,
    outputStart: number,
    outputEnd: number,
  ): void
  /** Other decoders, which are closed with this one. */
  readonly opened: { close(): void }[]
  close(): void
}

export const createInflater = (): Inflater => {
  const stream = createInflateRaw()
  const { _handle: handle, _writeState: left } = stream as unknown as {
    readonly _handle: ZlibHandle
    readonly _writeState: Left
  }
  let error: string | undefined
  handle.onerror = (message) => {
    error = message
  }
  return {
    consumed: 0,
    produced: 0,
    isEnded: false,
    begin() {
      handle.reset()
      error = undefined
      this.isEnded = false
    },
    step(input, inputStart, inputEnd, output, outputStart, outputEnd) {
      const inputLength = inputEnd - inputStart
      const outputLength = outputEnd - outputStart
      handle.writeSync(
        constants.Z_NO_FLUSH,
        input,
        inputStart,
        inputLength,
        output,
        outputStart,
        outputLength,
      )
      if (error !== undefined) throw new Error(error)
      this.produced = outputLength - left[0]
      this.consumed = inputLength - left[1]
      // zlib stops with both left at the end of the stream alone.
      this.isEnded = left[0] > 0 && left[1] > 0
    },
    opened: [],
    close() {
      stream.close()
      for (const one of this.opened.splice(0)) one.close()
    },
  }
}
