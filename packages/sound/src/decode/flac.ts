import { type Bytes, bytesOf } from '@fonds/bytes'
import { FLACDecoder } from '@wasm-audio-decoders/flac'
import { type Decode, Unreadable } from './sound.ts'

const bytesAtOnce = 8192

/** Frames decoded at once, all in memory: twelve bytes of FLAC can be a frame of 65,535 silent samples. */
const framesAtOnce = 4

export const decodeFlac: Decode = async function* (source, expect) {
  const bytes = bytesOf(source)
  const head = await headOf(bytes)
  const rate = head.readUIntBE(18, 3) >> 4
  const samples = (head.readUInt8(21) & 15) * 2 ** 32 + head.readUInt32BE(22)
  if (rate > 0 && samples > 0) expect(samples / rate)

  const decoder = new FLACDecoder()
  await decoder.ready
  try {
    yield* heard(await decoder.decode(head))
    for (;;) {
      const chunk = await bytes.some(bytesAtOnce)
      if (chunk.length === 0) break
      for (const few of fewFrames(chunk)) yield* heard(await decoder.decode(few))
    }
    yield* heard(await decoder.flush())
  } finally {
    decoder.free()
  }
}

/** Splits a chunk where more frames may begin than are decoded at once. */
function* fewFrames(chunk: Buffer): Generator<Buffer> {
  let from = 0
  let frames = 0
  for (let at = chunk.indexOf(0xff); at >= 0; at = chunk.indexOf(0xff, at + 1)) {
    if ((chunk[at + 1]! & 0xfe) !== 0xf8 || ++frames <= framesAtOnce) continue
    yield chunk.subarray(from, at)
    from = at
    frames = 1
  }
  yield chunk.subarray(from)
}

/** Reads the marker and stream information. Skips other blocks before the sound, such as pictures. */
const headOf = async (bytes: Bytes): Promise<Buffer> => {
  const head = Buffer.from(await bytes.take(42))
  if (head.length < 42 || (head.readUInt8(4) & 127) !== 0)
    throw new Unreadable('is FLAC without stream information; export it again')
  let isLast = (head.readUInt8(4) & 128) !== 0
  head.writeUInt8(128, 4)
  while (!isLast) {
    const block = await bytes.take(4)
    if (block.length < 4)
      throw new Unreadable('ends within its description, before any sound; fetch or export it again')
    isLast = (block.readUInt8(0) & 128) !== 0
    await bytes.skip(block.readUIntBE(1, 3))
  }
  return head
}

/** Output of the decoders of Ogg and FLAC for a chunk. */
export interface Decoded {
  readonly channelData: readonly Float32Array[]
  readonly samplesDecoded: number
  readonly sampleRate: number
}

export function* heard({ channelData, samplesDecoded, sampleRate }: Decoded) {
  if (samplesDecoded > 0)
    yield { rate: sampleRate, channels: channelData.map((channel) => channel.subarray(0, samplesDecoded)) }
}
