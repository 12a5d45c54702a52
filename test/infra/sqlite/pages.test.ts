import { describe, expect, it } from 'vitest'
import { takePages } from '../../../infra/sqlite/pages.ts'

const numbered = (count: number) => Array.from({ length: count }, (_, i) => i)

/** Takes from rows that are numbered from 0; each has the size that `sizeOf` says. */
const taken = (
  count: number,
  bounds: { limit: number; maxSize: number },
  sizeOf: (row: number) => number = () => 1,
) => {
  const all = numbered(count)
  const rows: number[] = []
  const pages: number[] = []
  const size = takePages<number>(
    (behind, most) => {
      const page = all.slice(behind === undefined ? 0 : behind + 1, (behind ?? -1) + 1 + most)
      pages.push(page.length)
      return page
    },
    (row) => {
      rows.push(row)
      return sizeOf(row)
    },
    bounds,
  )
  return { rows, pages, size }
}

describe('takePages', () => {
  it.each([0, 1, 31, 32, 33, 532, 533, 5000])('takes each of %i rows once, in order', (count) => {
    const { rows, size } = taken(count, { limit: 10_000, maxSize: 1e9 })
    expect(rows).toEqual(numbered(count))
    expect(size).toBe(count)
  })

  it.each([1, 32, 33, 700])('takes no more than the limit of %i', (limit) => {
    const { rows, pages } = taken(5000, { limit, maxSize: 1e9 })
    expect(rows).toEqual(numbered(limit))
    expect(pages.reduce((sum, page) => sum + page, 0)).toBe(limit)
  })

  it('ends with the row that reaches the size, and takes at least one', () => {
    expect(taken(100, { limit: 1000, maxSize: 10 }, () => 4).rows).toEqual([0, 1, 2])
    expect(taken(100, { limit: 1000, maxSize: 10 }, () => 5000).rows).toEqual([0])
  })

  it('reads little beyond the size where rows are large', () => {
    const { rows, pages } = taken(10_000, { limit: 10_000, maxSize: 4_000_000 }, () => 40_000)
    expect(rows).toHaveLength(100)
    expect(pages.reduce((sum, page) => sum + page, 0)).toBe(100)
  })

  it('goes on through rows without a size', () => {
    expect(taken(2000, { limit: 1500, maxSize: 10 }, () => 0).rows).toHaveLength(1500)
  })
})
