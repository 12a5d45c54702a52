import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'

/* Written for the stub alone, so that it judges the digests of Fonds and is not made of them. */

export const algorithms = ['CRC32', 'CRC32C', 'CRC64NVME', 'SHA1', 'SHA256'] as const
export type Algorithm = (typeof algorithms)[number]
export type ChecksumType = 'COMPOSITE' | 'FULL_OBJECT'

export const algorithmOf = (name: string | undefined): Algorithm | undefined =>
  algorithms.find((algorithm) => algorithm === name?.toUpperCase())

export const headerOf = (algorithm: Algorithm): string => `x-amz-checksum-${algorithm.toLowerCase()}`
export const elementOf = (algorithm: Algorithm): string => `Checksum${algorithm}`

const table32 = (polynomial: number): Int32Array =>
  Int32Array.from({ length: 256 }, (_, byte) => {
    let value = byte
    for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ polynomial : value >>> 1
    return value
  })

const castagnoli = table32(0x82f63b78)

const crc32c = (bytes: Uint8Array): number => {
  let sum = -1
  for (const byte of bytes) sum = castagnoli[(sum ^ byte) & 255]! ^ (sum >>> 8)
  return ~sum >>> 0
}

const nvme = Array.from({ length: 256 }, (_, byte) => {
  let value = BigInt(byte)
  for (let bit = 0; bit < 8; bit++) value = value & 1n ? (value >> 1n) ^ 0x9a6c9329ac4bc9b5n : value >> 1n
  return value
})
const nvmeHigh = Int32Array.from(nvme, (value) => Number(BigInt.asIntN(32, value >> 32n)))
const nvmeLow = Int32Array.from(nvme, (value) => Number(BigInt.asIntN(32, value)))

const crc64nvme = (bytes: Uint8Array): Buffer => {
  let high = -1
  let low = -1
  for (const byte of bytes) {
    const at = (low ^ byte) & 255
    low = ((low >>> 8) | (high << 24)) ^ nvmeLow[at]!
    high = (high >>> 8) ^ nvmeHigh[at]!
  }
  return Buffer.concat([fourBytes(~high >>> 0), fourBytes(~low >>> 0)])
}

const fourBytes = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

const digests: Readonly<Record<Algorithm, (bytes: Uint8Array) => Buffer>> = {
  CRC32: (bytes) => fourBytes(crc32(bytes)),
  CRC32C: (bytes) => fourBytes(crc32c(bytes)),
  CRC64NVME: crc64nvme,
  SHA1: (bytes) => createHash('sha1').update(bytes).digest(),
  SHA256: (bytes) => createHash('sha256').update(bytes).digest(),
}

/** In base64, as headers have it. */
export const checksum = (algorithm: Algorithm, bytes: Uint8Array): string =>
  digests[algorithm](bytes).toString('base64')

/** The checksum of the parts' checksums, with their number. */
export const composite = (algorithm: Algorithm, parts: readonly string[]): string =>
  `${checksum(algorithm, Buffer.concat(parts.map((part) => Buffer.from(part, 'base64'))))}-${parts.length}`

export const md5 = (bytes: Uint8Array): Buffer => createHash('md5').update(bytes).digest()
