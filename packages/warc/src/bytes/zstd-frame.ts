import type { ByteWindow } from './byte-window.ts'

/** The header of a Zstandard frame (RFC 8878 §3.1.1.1). */
export interface ZstdHeader {
  /** Bytes, with the magic number. */
  readonly length: number
  /** Bytes of output that the decoder has to keep. */
  readonly windowSize: number
  readonly hasChecksum: boolean
  /** 0: none. */
  readonly dictionaryId: number
}

const magicNumber = 0xfd2fb528
const sizeLengths = [0, 2, 4, 8] as const
const idLengths = [0, 1, 2, 4] as const

/** Reads the header of the frame at the start of the window. */
export const zstdHeader = (window: ByteWindow): ZstdHeader | 'truncated' | 'no frame' => {
  if (!window.has(5)) return 'truncated'
  const { bytes } = window
  if (bytes.readUInt32LE(window.start) !== magicNumber) return 'no frame'
  const descriptor = bytes[window.start + 4]!
  if (descriptor & 8) return 'no frame'
  const isSingle = (descriptor & 0x20) !== 0
  const idLength = idLengths[(descriptor & 3) as 0]
  const sizeLength = descriptor >> 6 === 0 ? Number(isSingle) : sizeLengths[(descriptor >> 6) as 0]
  const idAt = isSingle ? 5 : 6
  const length = idAt + idLength + sizeLength
  if (!window.has(length)) return 'truncated'
  const at = window.start
  const sizeAt = window.bytes.subarray(at + idAt + idLength)
  return {
    length,
    windowSize: isSingle
      ? numberIn(sizeAt, sizeLength) + (sizeLength === 2 ? 256 : 0)
      : windowIn(bytes[at + 5]!),
    hasChecksum: (descriptor & 4) !== 0,
    dictionaryId: numberIn(window.bytes.subarray(at + idAt), idLength),
  }
}

const numberIn = (bytes: Buffer, length: number): number => {
  let value = 0
  for (let i = length - 1; i >= 0; i--) value = value * 256 + bytes[i]!
  return value
}

const windowIn = (descriptor: number): number => 2 ** (10 + (descriptor >> 3)) * (1 + (descriptor & 7) / 8)

/** Reads the header of a block. The length is that of the block, with the three bytes of its header. */
export const zstdBlock = (
  bytes: Buffer,
  at: number,
): { readonly length: number; readonly isLast: boolean } | undefined => {
  const header = bytes.readUIntLE(at, 3)
  const type = (header >> 1) & 3
  if (type === 3) return undefined
  // A block of one repeated byte states the number of repetitions.
  return { length: 3 + (type === 1 ? 1 : header >> 3), isLast: (header & 1) === 1 }
}
