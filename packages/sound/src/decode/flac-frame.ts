import { crc8 } from './crc.ts'

/** The header of a frame. */
export interface FlacHeader {
  /** Number of the first sample if blocks vary in length, else number of the frame. */
  readonly number: number
  readonly isVariable: boolean
  /** Samples of each channel. */
  readonly samples: number
  /** Undefined: the stream information states it. */
  readonly rate: number | undefined
  /** Bytes that the frame can have at most. */
  readonly maxBytes: number
}

/** The longest header. */
export const headerBytes = 16

const rates = [
  undefined,
  88_200,
  176_400,
  192_000,
  8000,
  16_000,
  22_050,
  24_000,
  32_000,
  44_100,
  48_000,
  96_000,
] as const

/** Reads the header at `at`; undefined if there is none whose checksum is right. */
export const flacHeader = (bytes: Buffer, at: number): FlacHeader | undefined => {
  if (bytes[at] !== 0xff || (bytes[at + 1]! & 0xfe) !== 0xf8 || at + 6 > bytes.length) return undefined
  const blockCode = bytes[at + 2]! >> 4
  const rateCode = bytes[at + 2]! & 15
  const channels = channelsOf(bytes[at + 3]! >> 4)
  const bits = bitsOf[(bytes[at + 3]! >> 1) & 7]
  if (blockCode === 0 || rateCode === 15 || !channels || !bits || bytes[at + 3]! & 1) return undefined
  const number = codedNumber(bytes, at + 4)
  if (!number) return undefined
  let end = at + 4 + number.bytes
  const own = (length: number): number => {
    const value = end + length <= bytes.length ? bytes.readUIntBE(end, length) : 0
    end += length
    return value
  }
  const samples = blockCode === 6 ? own(1) + 1 : blockCode === 7 ? own(2) + 1 : samplesOf(blockCode)
  const rate =
    rateCode < 12 ? rates[rateCode] : rateCode === 12 ? own(1) * 1000 : own(2) * (rateCode === 13 ? 1 : 10)
  if (end >= bytes.length || crc8(bytes, at, end) !== bytes[end]) return undefined
  return {
    number: number.value,
    isVariable: (bytes[at + 1]! & 1) === 1,
    samples,
    rate,
    maxBytes: 64 + channels * (8 + Math.ceil((samples * (bits + 1)) / 8)),
  }
}

const samplesOf = (code: number): number => (code === 1 ? 192 : code < 6 ? 576 * 2 ** (code - 2) : 2 ** code)

const channelsOf = (code: number): number => (code < 8 ? code + 1 : code < 11 ? 2 : 0)

/** Bits of a sample by code; 0 if it is reserved. What the stream information states may be as many as there can be. */
const bitsOf = [32, 8, 12, 0, 16, 20, 24, 32] as const

/** A number of up to 36 bits, coded as UTF-8 codes characters. */
const codedNumber = (
  bytes: Buffer,
  at: number,
): { readonly value: number; readonly bytes: number } | undefined => {
  const first = bytes[at]!
  const length = first < 0x80 ? 1 : Math.clz32(~(first << 24))
  if ((length === 1 && first >= 0x80) || length > 7 || at + length > bytes.length) return undefined
  let value = length === 1 ? first : first & (0x7f >> length)
  for (let i = 1; i < length; i++) {
    const next = bytes[at + i]!
    if ((next & 0xc0) !== 0x80) return undefined
    value = value * 64 + (next & 63)
  }
  return { value, bytes: length }
}

/** The statements of a FLAC stream about itself; 0 is unknown. */
export interface StreamInformation {
  readonly rate: number
  readonly samples: number
}

/** The marker and the stream information. */
export const streamBytes = 42

/** Reads the beginning of a stream at `at`; undefined if there is none. */
export const streamInformation = (bytes: Buffer, at: number): StreamInformation | undefined => {
  const isStream =
    at + streamBytes <= bytes.length &&
    bytes.readUInt32BE(at) === 0x664c_6143 &&
    (bytes.readUInt32BE(at + 4) & 0x7fff_ffff) === 34
  if (!isStream) return undefined
  return {
    rate: bytes.readUIntBE(at + 18, 3) >> 4,
    samples: (bytes.readUInt8(at + 21) & 15) * 2 ** 32 + bytes.readUInt32BE(at + 22),
  }
}
