import { type Bytes, bytesOf } from '@fonds/bytes'
import { type Decode, maxRate, minRate, type Piece, Unreadable } from './sound.ts'

/*
 * RIFF WAVE, RF64 and BW64, read chunk by chunk. Ours, because the available libraries need the whole file in
 * memory, or end at 4 GiB.
 */

interface Format {
  readonly rate: number
  readonly channels: number
  /** Bytes of one sample of all channels. */
  readonly frame: number
  readonly read: (bytes: Buffer, at: number) => number
}

const framesAtOnce = 16_384
const maxChannels = 64
/** Size written by programs that do not know the length yet. */
const unknownSize = 0xffff_ffff

export const decodeWav: Decode = async function* (source, expect) {
  const bytes = bytesOf(source)
  const head = await bytes.take(12)
  const isLarge = head.toString('latin1', 0, 4) !== 'RIFF'
  let format: Format | undefined
  let largeSize: number | undefined
  for (;;) {
    const chunk = await bytes.take(8)
    if (chunk.length < 8) throw new Unreadable('holds no sound: it has no data chunk; export it again')
    const id = chunk.toString('latin1', 0, 4)
    const size = chunk.readUInt32LE(4)
    if (id === 'data') {
      if (!format)
        throw new Unreadable('does not say how its samples are coded before they begin; export it again')
      return yield* samples(bytes, format, dataSize(isLarge ? largeSize : undefined, size), expect)
    }
    const body = id === 'fmt ' || id === 'ds64' ? await bytes.take(Math.min(size, 4096)) : Buffer.alloc(0)
    if (id === 'fmt ') format = formatOf(body)
    if (id === 'ds64' && body.length >= 16) largeSize = Number(body.readBigUInt64LE(8))
    await bytes.skip(size - body.length + (size % 2))
  }
}

const dataSize = (large: number | undefined, size: number): number | undefined => {
  if (size !== unknownSize) return size === 0 ? undefined : size
  return large || undefined
}

async function* samples(
  bytes: Bytes,
  { rate, channels, frame, read }: Format,
  size: number | undefined,
  expect: (seconds: number) => void,
): AsyncGenerator<Piece> {
  if (size !== undefined) expect(Math.floor(size / frame) / rate)
  let left = Math.floor((size ?? Number.MAX_SAFE_INTEGER) / frame)
  while (left > 0) {
    const taken = await bytes.take(Math.min(left, framesAtOnce) * frame)
    const count = Math.floor(taken.length / frame)
    if (count === 0) return
    const width = frame / channels
    const piece = Array.from({ length: channels }, () => new Float32Array(count))
    for (const [channel, values] of piece.entries())
      for (let i = 0; i < count; i++) values[i] = read(taken, i * frame + channel * width)
    yield { rate, channels: piece }
    left -= count
  }
}

const formatOf = (chunk: Buffer): Format => {
  if (chunk.length < 16) throw new Unreadable('has a format chunk that is too short; export it again')
  const tag = chunk.readUInt16LE(0)
  const coding = tag === 0xfffe && chunk.length >= 26 ? chunk.readUInt16LE(24) : tag
  const channels = chunk.readUInt16LE(2)
  const rate = chunk.readUInt32LE(4)
  const frame = chunk.readUInt16LE(12)
  const bits = (frame * 8) / channels
  const read = readers[`${coding}/${bits}`]
  if (!read)
    throw new Unreadable(
      `is WAVE of coding ${coding} with ${chunk.readUInt16LE(14)} bits, which is not supported; export it as PCM of 8, 16, 24 or 32 bits, or float`,
    )
  if (channels > maxChannels || rate < minRate || rate > maxRate)
    throw new Unreadable(
      `is WAVE of ${channels} channels at ${rate} Hz, which is not supported; export it again`,
    )
  return { rate, channels, frame, read }
}

/** By coding (1 is PCM, 3 is float) and bits per sample. */
const readers: Readonly<Record<string, Format['read']>> = {
  '1/8': (bytes, at) => (bytes.readUInt8(at) - 128) / 128,
  '1/16': (bytes, at) => bytes.readInt16LE(at) / 32_768,
  '1/24': (bytes, at) => bytes.readIntLE(at, 3) / 8_388_608,
  '1/32': (bytes, at) => bytes.readInt32LE(at) / 2_147_483_648,
  '3/32': (bytes, at) => bytes.readFloatLE(at),
  '3/64': (bytes, at) => bytes.readDoubleLE(at),
}
