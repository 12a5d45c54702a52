import { hash } from 'node:crypto'
import { emptyRoot, hashBytes } from '../hash.ts'

/* Hashes of a Merkle tree, as RFC 6962, section 2.1, has them. */

/** The digest as a text of 32 characters: for one that is bytes, Node makes a buffer of its own, which takes twice as long as to hash. */
const digestOf = (bytes: Uint8Array): string => hash('sha256', bytes, 'binary')

export const sha256 = (bytes: Uint8Array): Uint8Array => Buffer.from(digestOf(bytes), 'latin1')

// Hashed at once and never kept.
const leaf = Buffer.alloc(1 + 65_535)
const pair = Buffer.alloc(1 + 2 * hashBytes, 1)

export const leafHash = (entry: Uint8Array): Uint8Array => {
  const length = 1 + entry.length
  const bytes = length <= leaf.length ? leaf.subarray(0, length) : Buffer.alloc(length)
  bytes.set(entry, 1)
  return sha256(bytes)
}

export const nodeHash = (left: Uint8Array, right: Uint8Array): Uint8Array => {
  pair.set(left, 1)
  pair.set(right, 1 + hashBytes)
  return sha256(pair)
}

/** Root of a tree of 2^n leaves, from their hashes side by side. */
export const completeRoot = (hashes: Uint8Array): Uint8Array => {
  const row = Buffer.from(hashes)
  for (let end = row.length; end > hashBytes; end /= 2)
    for (let at = 0; at < end; at += 2 * hashBytes) {
      row.copy(pair, 1, at, at + 2 * hashBytes)
      row.write(digestOf(pair), at / 2, 'latin1')
    }
  return Uint8Array.from(row.subarray(0, hashBytes))
}

/** Hash of complete subtrees that stand side by side, the larger ones left. */
export const joined = (hashes: readonly Uint8Array[]): Uint8Array =>
  hashes.length === 0 ? emptyRoot : hashes.reduceRight((right, left) => nodeHash(left, right))
