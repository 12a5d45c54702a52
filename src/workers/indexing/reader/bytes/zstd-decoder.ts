import { constants, createZstdDecompress } from 'node:zlib'

/** What Node's stream stands on: one synchronous step of the decoder, over the buffers of the caller. */
interface ZstdHandle {
  writeSync(
    flush: number,
    input: Buffer,
    inputStart: number,
    inputLength: number,
    output: Buffer,
    outputStart: number,
    outputLength: number,
  ): void
  onerror: (message: string) => void
}

/** Free bytes of the output, and unread bytes of the input, after a step. */
type Left = readonly [output: number, input: number] & Uint32Array

export interface ZstdDecoder {
  /** Of the last step. */
  consumed: number
  produced: number
  /** Decodes on, over one frame at most. Throws where the frame is damaged; then it decodes nothing any more. */
  step(
    input: Buffer,
    inputStart: number,
    inputEnd: number,
    output: Buffer,
    outputStart: number,
    outputEnd: number,
  ): void
  close(): void
}

/** Decodes frames, each with the same dictionary: to reset it would take that away. */
export const createZstdDecoder = (windowLog: number, dictionary: Buffer | undefined): ZstdDecoder => {
  const stream = createZstdDecompress({
    params: { [constants.ZSTD_d_windowLogMax]: windowLog },
    ...(dictionary && { dictionary }),
  })
  const { _handle: handle, _writeState: left } = stream as unknown as {
    readonly _handle: ZstdHandle
    readonly _writeState: Left
  }
  let error: string | undefined
  handle.onerror = (message) => {
    error = message
  }
  return {
    consumed: 0,
    produced: 0,
    step(input, inputStart, inputEnd, output, outputStart, outputEnd) {
      const [inputLength, outputLength] = [inputEnd - inputStart, outputEnd - outputStart]
      handle.writeSync(
        constants.ZSTD_e_continue,
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
    },
    close: () => stream.close(),
  }
}
