import { describe, expect, test } from 'vitest'
import { partSizes } from '../../../../infra/content/s3/part-sizes.ts'

const asked = async (size: number, sizes: readonly (number | undefined)[]) => {
  const parts: number[] = []
  const found = await partSizes({ size, count: sizes.length }, async (part) => {
    parts.push(part)
    return sizes[part - 1]
  })
  return { found, asked: parts.length }
}

describe('the sizes of parts', () => {
  test('are asked one by one, and may differ', async () => {
    expect(await asked(12, [5, 4, 3])).toEqual({ found: [5, 4, 3], asked: 3 })
  })

  test('of a single part is that of the object', async () => {
    expect(await asked(12, [undefined])).toEqual({ found: [12], asked: 0 })
  })

  test.each([
    ['ignores the part, and gives the size of the object', [12, 12, 12], 1],
    ['has no answer', [undefined, undefined], 1],
    ['has no answer for one of them', [6, undefined], 2],
    ['gives sizes that do not add up', [6, 5], 2],
  ] as const)('are not known where the server %s', async (_, sizes, requests) => {
    expect(await asked(12, sizes)).toEqual({ found: undefined, asked: requests })
  })

  test('are not asked of more parts than S3 has', async () => {
    expect(
      await asked(
        12,
        Array.from({ length: 10_001 }, () => 1),
      ),
    ).toEqual({ found: undefined, asked: 0 })
  })
})
