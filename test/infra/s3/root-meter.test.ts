import { describe, expect, it } from 'vitest'
import { countBytesRead, countRequest } from '../../../infra/s3/request-counts.ts'
import { countsOfRoot, createRootCounts } from '../../../infra/s3/root-counts.ts'
import { createRootMeter } from '../../../infra/s3/root-meter.ts'

const main = 's3://archive/main'

const meterHere = () => {
  const table = createRootCounts()
  let minutes = 0
  const clock = { now: () => new Date(Date.UTC(2026, 0, 31, 12, minutes)).toISOString() }
  return {
    table,
    meter: createRootMeter(table, clock),
    ask: (root: string, bytes = 0) => {
      const counts = countsOfRoot(table, root)!
      countRequest(counts, { method: 'GET', key: 'a' })
      countBytesRead(counts, bytes)
    },
    pass: () => void minutes++,
  }
}

describe('the meter of the roots of stores', () => {
  it('cuts the requests to each root into spans that follow one another, and has none for a quiet root', () => {
    const { meter, ask, pass } = meterHere()
    ask(main, 4)
    ask(`${main}/`, 3)
    ask('s3://archive/other')
    pass()
    const first = meter.span(main)!
    expect(first).toMatchObject({
      from: '2026-01-31T12:00:00.000Z',
      to: '2026-01-31T12:01:00.000Z',
      requests: { get: 2, head: 0, list: 0, put: 0, delete: 0 },
      bytesRead: 7,
      bytesWritten: 0,
    })
    meter.markRecorded(main, first.id)
    expect(meter.span(main)).toBeUndefined()
    ask(main)
    pass()
    expect(meter.span(main)).toMatchObject({ from: first.to, requests: { get: 1 }, bytesRead: 0 })
    expect(meter.span('s3://archive/other')).toMatchObject({ requests: { get: 1 } })
    expect(meter.span('s3://archive')).toBeUndefined()
  })

  it('returns a span until it is recorded, and keeps apart what is asked meanwhile', () => {
    const { meter, ask } = meterHere()
    ask(main)
    const first = meter.span(main)!
    ask(main, 5)
    expect(meter.span(main)).toEqual(first)
    meter.markRecorded(main, 'another')
    expect(meter.span(main)).toEqual(first)
    meter.markRecorded(main, first.id)
    expect(meter.span(main)).toMatchObject({ requests: { get: 1 }, bytesRead: 5 })
  })

  it('counts 512 roots, and no other', () => {
    const { table } = meterHere()
    const counts = Array.from({ length: 512 }, (_, i) => countsOfRoot(table, `s3://archive/${i}`))
    for (const [i, each] of counts.entries())
      for (let n = 0; n < i; n++) countRequest(each!, { method: 'GET', key: 'a' })
    expect(counts.map((each) => Number(each![0]))).toEqual(counts.map((_, i) => i))
    expect(countsOfRoot(table, 's3://archive/512')).toBeUndefined()
    expect(countsOfRoot(table, 's3://archive/511')?.[0]).toBe(511n)
  })
})
