import { fromHex } from './bytes.ts'

/** Bytes of a SHA-256 hash. */
export const hashBytes = 32

/** Root of the tree without leaves: the hash of no bytes. */
export const emptyRoot: Uint8Array = fromHex(
  'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
)

export const isSameHash = (a: Uint8Array, b: Uint8Array): boolean =>
  a.length === b.length && a.every((byte, i) => byte === b[i])
