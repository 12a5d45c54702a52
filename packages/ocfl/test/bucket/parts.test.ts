import { expect, it } from 'vitest'
import { partBytesOf } from '../../src/bucket/parts.ts'

const MiB = 1024 ** 2

it.each([
  [9 * MiB, 8 * MiB],
  [3200 * MiB, 8 * MiB],
  [12 * 1024 * MiB, Math.ceil((12 * 1024 * MiB) / 400)],
  [100 * 1024 * MiB, 64 * MiB],
  [5 * MiB ** 2, Math.ceil((5 * MiB ** 2) / 10_000)],
])('a file of %i bytes goes in parts of %i', (size, partBytes) => {
  expect(partBytesOf(size, 8 * MiB)).toBe(partBytes)
  expect(Math.ceil(size / partBytes)).toBeLessThanOrEqual(10_000)
})
