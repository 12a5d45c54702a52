import { describe, expect, it } from 'vitest'
import { ago, bytes, count, duration, plural } from '../../../src/cli/output/text.ts'
import { displayWidth, fitWidths, shorten } from '../../../src/cli/output/width.ts'

it.each([
  [0, '0 B'],
  [1023, '1023 B'],
  [1024, '1 KiB'],
  [1536, '1.5 KiB'],
  [102_350, '100 KiB'],
  [1024 * 1024 - 1, '1 MiB'],
  [123_456_789, '118 MiB'],
  [2n ** 60n, '1 EiB'],
  [2n ** 64n, '16 EiB'],
])('bytes %s', (n, text) => {
  expect(bytes(n)).toBe(text)
})

it.each([
  [0, '0 ms'],
  [340.4, '340 ms'],
  [1000, '1 s'],
  [59_600, '1 min'],
  [61_000, '1 min 1 s'],
  [7_500_000, '2 h 5 min'],
  [90_061_000, '1 d 1 h'],
  [86_400_000 * 3, '3 d'],
])('duration %s', (millis, text) => {
  expect(duration(millis)).toBe(text)
})

it('counts', () => {
  expect([
    count(1234567),
    count(12n),
    plural(1, 'file'),
    plural(0, 'file'),
    plural(2000, 'entry', 'entries'),
  ]).toEqual(['1,234,567', '12', '1 file', '0 files', '2,000 entries'])
})

it.each([
  ['2026-01-31T11:59:30.000Z', 'just now'],
  ['2026-01-31T12:00:30.000Z', 'in a moment'],
  ['2026-01-31T11:59:00.000Z', '1 minute ago'],
  ['2026-01-31T14:30:00.000Z', 'in 2 hours'],
  ['2026-01-28T11:00:00.000Z', '3 days ago'],
  ['2025-11-01T12:00:00.000Z', '3 months ago'],
  ['2020-01-31T12:00:00.000Z', '6 years ago'],
])('ago %s', (instant, text) => {
  expect(ago(instant, '2026-01-31T12:00:00.000Z')).toBe(text)
})

describe('width', () => {
  it.each([
    ['abc', 3],
    ['Ærø', 3],
    ['字', 2],
    ['e\u0301', 1],
    ['👩‍🔬', 2],
    ['ﾊﾝ', 2],
  ])('%s', (text, width) => {
    expect(displayWidth(text)).toBe(width)
  })

  it('cuts at the end or in the middle, never within a character', () => {
    expect(shorten('letters/1912/03.tif', 12)).toBe('letters/191…')
    expect(shorten('letters/1912/03.tif', 12, 'middle')).toBe('letter…3.tif')
    expect(shorten('字字字字', 6)).toBe('字字…')
    expect(shorten('short', 5)).toBe('short')
    expect(shorten('long', 1)).toBe('…')
  })

  it('takes from the widest, never from fixed ones', () => {
    expect(fitWidths([5, 40, 30], [false, false, false], 60)).toEqual([5, 28, 27])
    expect(fitWidths([20, 40], [true, false], 30)).toEqual([20, 10])
    expect(fitWidths([5, 10], [false, false], 80)).toEqual([5, 10])
    expect(fitWidths([20, 20], [false, false], 3)).toEqual([6, 6])
  })
})
