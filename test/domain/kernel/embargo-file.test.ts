import { expect, it } from 'vitest'
import { embargoIn } from '#src/domain/kernel/embargo-file.ts'

it.each<readonly [string, string]>([
  ['2030-01-02', '2030-01-02'],
  ['embargoEndDate: 2030-01-02\n', '2030-01-02'],
  ['\uFEFF\r\n EMBARGOENDDATE :2030-01-02\r\n2031-01-02\r\n', '2030-01-02'],
  // A year or a month ends with its last day.
  ['2030', '2030-12-31'],
  ['2028-02', '2028-02-29'],
  ['2030-02', '2030-02-28'],
  // The day of a time is that of UTC.
  ['2030-01-02T23:30Z', '2030-01-02'],
  ['2030-01-02T23:30-05:00', '2030-01-03'],
  ['2030-01-02T00:30+02:00', '2030-01-01'],
  ['2030-01-02T23:30:59.5', '2030-01-02'],
  ['none', 'none'],
  ['embargoEndDate: NONE', 'none'],
])('mrt-embargo.txt with %j means %s', (text, expected) => {
  expect(embargoIn(text)).toBe(expected)
})

it.each([
  '',
  'never',
  '2030-13',
  '2030-02-30',
  '30-01-02',
  '2030-1-2',
  '2030-01-02T25:00Z',
  '2030-01-02 or later',
])('mrt-embargo.txt with %j says nothing that can be kept', (text) => {
  expect(embargoIn(text)).toBe(undefined)
})
