import { constants } from 'node:zlib'

/**
 * Continues to decode: reads `input` from `inputStart` on and fills `output`, each up to its end. Throws if
 * the data are damaged.
 */
export interface ZlibStep {
  /** Bytes that the last step read and wrote. */
  consumed: number
  produced: number
  /** True if neither input nor output was used up: the stream is at its end, or needs nothing. */
  isEnded: boolean
  /** Prepares for the next stream. */
  reset(): void
  step(
    input: Buffer,
    inputStart: number,
    inputEnd: number,
    output: Buffer,
    outputStart: number,
    outputEnd: number,
  ): void
}

/** The native handle of a zlib stream of Node's: one synchronous step over the buffers of the caller. */
interface Handle {
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

/** One of Node's public calls that decode at once: the output so far, and how many bytes of input it read. */
export type DecodeSync = (input: Buffer) => { readonly output: Buffer; readonly used: number }

/** Reads the result of `inflateRawSync` and `zstdDecompressSync` with `info: true`, as Node documents it. */
export const withInfo = (result: unknown): ReturnType<DecodeSync> => {
  const { buffer, engine } = result as {
    readonly buffer: Buffer
    readonly engine: { readonly bytesWritten: number }
  }
  return { output: buffer, used: engine.bytesWritten }
}

/**
 * Steps over the handle of a zlib stream of Node's, in constant memory. Node's public calls either decode all
 * at once or cross to another thread for each chunk, and take twice as long. The handle is not a public
 * interface: undefined if this Node has none of that form.
 */
export const stepsOfHandle = (stream: object, resets: boolean): ZlibStep | undefined => {
  const { _handle: handle, _writeState: left } = stream as {
    readonly _handle?: Partial<Handle> | null
    readonly _writeState?: unknown
  }
  if (typeof handle?.writeSync !== 'function' || typeof handle.reset !== 'function') return undefined
  if (!(left instanceof Uint32Array) || left.length < 2) return undefined
  return stepsOf(handle as Handle, left as unknown as Left, resets)
}

const stepsOf = (handle: Handle, left: Left, resets: boolean): ZlibStep => {
  let error: string | undefined
  handle.onerror = (message) => {
    error = message
  }
  return {
    consumed: 0,
    produced: 0,
    isEnded: false,
    reset() {
      this.isEnded = false
      if (!resets) return
      handle.reset()
      error = undefined
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
      this.isEnded = left[0] > 0 && left[1] > 0
    },
  }
}

/**
 * The same steps over a public call, which starts at the beginning of the stream each time: memory grows with
 * the stream, and time with the square of its length.
 */
export const stepsOfCall = (decode: DecodeSync): ZlibStep => {
  let input: Buffer = nothing
  let output: Buffer = nothing
  let given = 0
  let isAtEnd = false
  return {
    consumed: 0,
    produced: 0,
    isEnded: false,
    reset() {
      input = nothing
      output = nothing
      given = 0
      isAtEnd = false
      this.isEnded = false
    },
    step(bytes, from, to, into, intoFrom, intoTo) {
      this.consumed = 0
      if (given === output.length && !isAtEnd && to > from) {
        input = Buffer.concat([input, bytes.subarray(from, to)])
        const decoded = decode(input)
        const unused = input.length - decoded.used
        output = decoded.output
        isAtEnd = unused > 0
        this.consumed = to - from - unused
      }
      this.produced = output.copy(
        into,
        intoFrom,
        given,
        given + Math.min(output.length - given, intoTo - intoFrom),
      )
      given += this.produced
      this.isEnded = isAtEnd && given === output.length
    },
  }
}

const nothing = Buffer.alloc(0)
