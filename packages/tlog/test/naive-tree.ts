import { emptyRoot } from '@fonds/tlog'
import { leafHash, nodeHash } from '@fonds/tlog/compute'

/* RFC 6962, section 2.1, word by word: what faster code is held against. */

const splitOf = (n: number): number => {
  let k = 1
  while (k * 2 < n) k *= 2
  return k
}

export const treeHash = (entries: readonly Uint8Array[]): Uint8Array => {
  if (entries.length === 0) return emptyRoot
  if (entries.length === 1) return leafHash(entries[0]!)
  const k = splitOf(entries.length)
  return nodeHash(treeHash(entries.slice(0, k)), treeHash(entries.slice(k)))
}

export const path = (m: number, entries: readonly Uint8Array[]): readonly Uint8Array[] => {
  if (entries.length === 1) return []
  const k = splitOf(entries.length)
  return m < k
    ? [...path(m, entries.slice(0, k)), treeHash(entries.slice(k))]
    : [...path(m - k, entries.slice(k)), treeHash(entries.slice(0, k))]
}

export const proof = (m: number, entries: readonly Uint8Array[], isWhole = true): readonly Uint8Array[] => {
  if (m === entries.length) return isWhole ? [] : [treeHash(entries)]
  const k = splitOf(entries.length)
  return m <= k
    ? [...proof(m, entries.slice(0, k), isWhole), treeHash(entries.slice(k))]
    : [...proof(m - k, entries.slice(k), false), treeHash(entries.slice(0, k))]
}

export const entriesOf = (count: number): readonly Uint8Array[] =>
  Array.from({ length: count }, (_, i) => Buffer.from(`entry ${i}`))
