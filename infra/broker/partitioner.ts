/** Kafka's default: while the partition count is the same, a key has the same partition here and in Kafka. */
export const partitionOf = (key: string | Uint8Array, partitions: number): number =>
  (murmur2(typeof key === 'string' ? Buffer.from(key) : key) & 0x7fffffff) % partitions

const seed = 0x9747b28c
const mix = 0x5bd1e995

/** 32-bit MurmurHash2 with the seed that Kafka uses; a signed integer. */
export const murmur2 = (bytes: Uint8Array): number => {
  const { length } = bytes
  const tail = length & ~3
  let hash = seed ^ length
  for (let i = 0; i < tail; i += 4) {
    let block = bytes[i]! | (bytes[i + 1]! << 8) | (bytes[i + 2]! << 16) | (bytes[i + 3]! << 24)
    block = Math.imul(block, mix)
    block ^= block >>> 24
    hash = Math.imul(hash, mix) ^ Math.imul(block, mix)
  }
  for (let i = length - 1; i >= tail; i--) hash ^= bytes[i]! << (8 * (i - tail))
  if (tail < length) hash = Math.imul(hash, mix)
  hash ^= hash >>> 13
  hash = Math.imul(hash, mix)
  return hash ^ (hash >>> 15)
}
