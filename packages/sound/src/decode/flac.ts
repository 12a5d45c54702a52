import { createFlacDecoder, type FlacDecoder } from './flac-decoder.ts'
import { type Candidate, flacFrames, type StreamEnd } from './flac-frames.ts'
import { createStream, type FlacStream } from './flac-stream.ts'
import { type Decode, type Sound, silence } from './sound.ts'

/** Frames decoded at once, all in memory: twelve bytes of FLAC can be a frame of 65,535 silent samples. */
const framesAtOnce = 4

/** Places frames by their numbers: where some are missing is silence of their length. */
export const decodeFlac: Decode = async function* (file) {
  const decoder = await createFlacDecoder()
  let stream = createStream({ rate: 0, samples: 0 })
  let batch: Candidate[] = []
  const decodeBatch = async (): Promise<readonly Sound[]> => {
    const frames = batch
    batch = []
    return frames.length > 0 ? decoder.decode(frames, stream.rate()) : []
  }
  try {
    for await (const found of flacFrames(file.bytes())) {
      if (found.kind === 'frame') {
        const gap = stream.gapBefore(found.header)
        if (gap > 0 || batch.length === framesAtOnce) yield* await decodeBatch()
        yield* silence(stream.rate() ?? 0, gap)
        batch.push(found)
        continue
      }
      yield* await decodeBatch()
      if (found.kind === 'stream') stream = createStream(found.information)
      else yield* endOf(found, stream, decoder)
    }
  } finally {
    decoder.free()
  }
}

async function* endOf(
  { rest, isLast, passedOver }: StreamEnd,
  stream: FlacStream,
  decoder: FlacDecoder,
): AsyncGenerator<Sound> {
  for (const candidate of rest) {
    const piece = await decoder.decodeLast(candidate, stream.rate())
    if (!piece) continue
    yield* silence(piece.rate, stream.gapBefore(candidate.header))
    yield piece
    break
  }
  const rate = stream.rate()
  const missing = stream.missing()
  if (!rate || missing === 0) return
  // Damaged bytes take the time of what they were; bytes that are not there take none.
  if (passedOver > 0 && !isLast) yield* silence(rate, missing)
  else yield { rate, missing }
}
