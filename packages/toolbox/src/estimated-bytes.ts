/** Bytes of an object, a property, and an entry of a Map or Set, with 8-byte pointers, rounded up. */
const objectBytes = 48
const slotBytes = 8
const entryBytes = 40

/** So many values of one are looked at; the rest of it is taken to be alike. */
const maxVisited = 64

/** Values that may still be looked at in the call under way. */
let left = 0

/**
 * Estimates the bytes that a value takes in memory: texts by their characters, numbers, arrays, objects, Maps, Sets and
 * binary data. It looks at 64 values at most, so that a large one costs no more: beyond them it takes the elements of a
 * collection to be as large as those before, and deeper values to be empty. Functions count as pointers.
 */
export const estimatedBytes = (value: unknown): number => {
  left = maxVisited
  return slotBytes + bytesOf(value)
}

const bytesOf = (value: unknown): number => {
  left--
  if (typeof value === 'string') return 16 + value.length
  if (typeof value === 'bigint') return 24
  if (typeof value !== 'object' || value === null) return 0
  if (Array.isArray(value)) return bytesOfArray(value)
  if (value instanceof Map)
    return (
      objectBytes +
      value.size * entryBytes +
      bytesOfAll(value.keys(), value.size) +
      bytesOfAll(value.values(), value.size)
    )
  if (value instanceof Set) return objectBytes + value.size * entryBytes + bytesOfAll(value, value.size)
  if (ArrayBuffer.isView(value)) return objectBytes + value.byteLength
  return bytesOfObject(value)
}

const bytesOfArray = (values: readonly unknown[]): number => {
  const { length } = values
  let visited = 0
  let bytes = 0
  for (; visited < length && left > 0; visited++) bytes += bytesOf(values[visited])
  return objectBytes + length * slotBytes + ofAll(bytes, visited, length)
}

const bytesOfObject = (value: object): number => {
  let size = 0
  let visited = 0
  let bytes = 0
  for (const name in value) {
    size++
    if (left <= 0) continue
    bytes += bytesOf((value as Record<string, unknown>)[name])
    visited++
  }
  return objectBytes + size * slotBytes + ofAll(bytes, visited, size)
}

const bytesOfAll = (values: Iterable<unknown>, size: number): number => {
  let visited = 0
  let bytes = 0
  for (const one of values) {
    if (left <= 0) break
    bytes += bytesOf(one)
    visited++
  }
  return ofAll(bytes, visited, size)
}

/** Takes those that were not looked at to be as large as the others. */
const ofAll = (bytes: number, visited: number, size: number): number =>
  visited === 0 ? 0 : visited === size ? bytes : (bytes / visited) * size
