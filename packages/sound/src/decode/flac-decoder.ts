import { FLACDecoder } from '@wasm-audio-decoders/flac'
import type { Candidate } from './flac-frames.ts'
import { type Piece, silence } from './sound.ts'

/** Decodes frames of FLAC one by one, whatever came before them. */
export interface FlacDecoder {
  /** Silence stands for frames that cannot be decoded in spite of their checksums. */
  decode(frames: readonly Candidate[], rate: number | undefined): Promise<readonly Piece[]>
  /** Decodes a frame with other bytes behind it; undefined if it cannot be. */
  decodeLast(frame: Candidate, rate: number | undefined): Promise<Piece | undefined>
  free(): void
}

export const createFlacDecoder = async (): Promise<FlacDecoder> => {
  const decoder = new FLACDecoder()
  await decoder.ready

  const tried = async (
    frames: readonly Candidate[],
    rate: number | undefined,
  ): Promise<Piece | undefined> => {
    const samples = frames.reduce((sum, { header }) => sum + header.samples, 0)
    const { channelData, samplesDecoded, sampleRate, errors } = await decoder.decodeFrames(
      frames.map(({ bytes }) => bytes),
    )
    if (samplesDecoded === samples && errors.length === 0)
      return { rate: sampleRate || (rate ?? 0), channels: channelData }
    await decoder.reset()
    return undefined
  }

  return {
    decode: async (frames, rate) => {
      const whole = await tried(frames, rate)
      if (whole) return [whole]
      const pieces: Piece[] = []
      for (const frame of frames) {
        const piece = await tried([frame], rate)
        if (piece) pieces.push(piece)
        else pieces.push(...silence(rate ?? 0, frame.header.samples))
      }
      return pieces
    },
    decodeLast: async (frame, rate) => {
      const piece = await tried([frame], rate)
      await decoder.reset()
      return piece
    },
    free: () => decoder.free(),
  }
}
