import { maxRate, minRate, Unreadable } from './sound.ts'

/** How the samples of a WAVE file are coded. */
export type Format = PcmFormat | MpegFormat

export interface PcmFormat {
  readonly kind: 'pcm'
  readonly rate: number
  readonly channels: number
  /** Bytes of one sample of all channels. */
  readonly frame: number
  readonly read: (bytes: Buffer, at: number) => number
}

/** Frames of MPEG audio, which state the rest. */
export interface MpegFormat {
  readonly kind: 'mpeg'
  readonly bytesPerSecond: number
}

const maxChannels = 64

export const formatOf = (chunk: Buffer): Format => {
  if (chunk.length < 16) throw new Unreadable('has a format chunk that is too short; export it again')
  const tag = chunk.readUInt16LE(0)
  const coding = tag === 0xfffe && chunk.length >= 26 ? chunk.readUInt16LE(24) : tag
  if (coding === 0x50 || coding === 0x55) return { kind: 'mpeg', bytesPerSecond: chunk.readUInt32LE(8) }
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
  return { kind: 'pcm', rate, channels, frame, read }
}

/** By coding (1 is PCM, 3 is float) and bits per sample. */
const readers: Readonly<Record<string, PcmFormat['read']>> = {
  '1/8': (bytes, at) => (bytes.readUInt8(at) - 128) / 128,
  '1/16': (bytes, at) => bytes.readInt16LE(at) / 32_768,
  '1/24': (bytes, at) => bytes.readIntLE(at, 3) / 8_388_608,
  '1/32': (bytes, at) => bytes.readInt32LE(at) / 2_147_483_648,
  '3/32': (bytes, at) => bytes.readFloatLE(at),
  '3/64': (bytes, at) => bytes.readDoubleLE(at),
}
