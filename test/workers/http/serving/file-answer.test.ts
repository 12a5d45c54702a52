import { describe, expect, it } from 'vitest'
import { wantedRange } from '../../../../src/workers/http/serving/byte-range.ts'
import { fileAnswer } from '../../../../src/workers/http/serving/file-answer.ts'

describe('the header Range', () => {
  it.each([
    ['bytes=0-0', { from: 0, to: 0 }],
    ['bytes=10-19', { from: 10, to: 19 }],
    ['bytes=90-', { from: 90, to: 99 }],
    ['bytes=90-1000', { from: 90, to: 99 }],
    ['bytes=90-99999999999999999999', { from: 90, to: 99 }],
    ['bytes=-10', { from: 90, to: 99 }],
    ['bytes=-1000', { from: 0, to: 99 }],
    ['Bytes = 1 - 2', { from: 1, to: 2 }],
    ['bytes=100-', 'unsatisfiable'],
    ['bytes=100-200', 'unsatisfiable'],
    ['bytes=-0', 'unsatisfiable'],
  ])('%s of 100 bytes is %o', (header, range) => {
    expect(wantedRange(header, 100)).toEqual(range)
  })

  it.each([
    undefined,
    '',
    'bytes=',
    'bytes=-',
    'bytes=5-4',
    'bytes=a-b',
    'bytes=0-1,3-4',
    'lines=1-2',
    '0-1',
  ])('%s counts for nothing', (header) => {
    expect(wantedRange(header, 100)).toBe('whole')
  })

  it('finds nothing in an empty file', () => {
    expect(wantedRange('bytes=0-', 0)).toBe('unsatisfiable')
    expect(wantedRange('bytes=-5', 0)).toBe('unsatisfiable')
    expect(wantedRange(undefined, 0)).toBe('whole')
  })
})

describe('the answer to a request of a file', () => {
  const modifiedAt = new Date('2026-01-31T12:00:00.750Z')
  const file = { size: 100, modifiedAt, tag: '"64-1"' }
  const date = 'Sat, 31 Jan 2026 12:00:00 GMT'
  const before = 'Sat, 31 Jan 2026 11:59:59 GMT'
  const range = 'bytes=0-9'

  it('is all of it without a range, and says that ranges are served', () => {
    expect(fileAnswer({}, file)).toEqual({
      status: 200,
      headers: { etag: '"64-1"', 'last-modified': date, 'accept-ranges': 'bytes', 'content-length': '100' },
      range: { from: 0, to: 99 },
    })
    expect(fileAnswer({}, { ...file, size: 0 }).range).toBe(undefined)
  })

  it('is a part with its place', () => {
    expect(fileAnswer({ range }, file)).toMatchObject({
      status: 206,
      headers: { 'content-range': 'bytes 0-9/100', 'content-length': '10' },
      range: { from: 0, to: 9 },
    })
    const refused = fileAnswer({ range: 'bytes=100-' }, file)
    expect(refused).toMatchObject({ status: 416, headers: { 'content-range': 'bytes */100' } })
    expect(refused.range).toBe(undefined)
  })

  it.each([
    [{ 'if-range': '"64-1"' }, 206],
    [{ 'if-range': 'W/"64-1"' }, 200],
    [{ 'if-range': '"other"' }, 200],
    [{ 'if-range': date }, 206],
    [{ 'if-range': before }, 200],
    [{ 'if-range': 'nonsense' }, 200],
    [{ 'if-none-match': '"64-1"' }, 304],
    [{ 'if-none-match': '"x", W/"64-1"' }, 304],
    [{ 'if-none-match': '*' }, 304],
    [{ 'if-none-match': '"other"' }, 206],
    [{ 'if-none-match': '"other"', 'if-modified-since': date }, 206],
    [{ 'if-modified-since': date }, 304],
    [{ 'if-modified-since': before }, 206],
    [{ 'if-match': '"64-1"' }, 206],
    [{ 'if-match': '*' }, 206],
    [{ 'if-match': 'W/"64-1"' }, 412],
    [{ 'if-match': '"other"' }, 412],
    [{ 'if-unmodified-since': date }, 206],
    [{ 'if-unmodified-since': before }, 412],
    [{ 'if-unmodified-since': before, 'if-match': '"64-1"' }, 206],
  ])('with a range and %o is %i', (conditions, status) => {
    expect(fileAnswer({ range, ...conditions }, file).status).toBe(status)
  })
})
