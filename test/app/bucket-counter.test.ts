import { expect, it } from 'vitest'
import { bucketCounter } from '#src/app/bucket-counter.ts'
import type { Telemetry } from '#src/ports/telemetry.ts'
import {
  countBytesRead,
  countRequest,
  createRequestCounts,
  requestTotals,
} from '../../infra/s3/request-counts.ts'

it('counts requests by class and bytes, each once, whichever thread made them; all series are there at once', () => {
  const counts = createRequestCounts()
  const counted = new Map<string, number>()
  const telemetry = {
    count: (name: string, labels: object, by: number) => {
      const series = `${name} ${Object.values(labels).join()}`
      counted.set(series, (counted.get(series) ?? 0) + by)
    },
  } as unknown as Telemetry
  const count = bucketCounter(() => requestTotals(counts), telemetry)
  count()
  expect([...counted.values()]).toEqual([0, 0, 0, 0, 0, 0, 0])
  countRequest(counts, { method: 'GET', key: 'a' })
  countRequest(counts, { method: 'GET' })
  countRequest(counts, { method: 'HEAD', key: 'a' })
  countRequest(counts, { method: 'PUT', key: 'a', body: Buffer.from('abc') })
  countRequest(counts, { method: 'POST', key: 'a' })
  countRequest(counts, { method: 'DELETE', key: 'a' })
  countBytesRead(counts, 7)
  count()
  count()
  expect(Object.fromEntries(counted)).toEqual({
    'bucket_requests get': 1,
    'bucket_requests head': 1,
    'bucket_requests list': 1,
    'bucket_requests put': 2,
    'bucket_requests delete': 1,
    'bucket_bytes read': 7,
    'bucket_bytes written': 3,
  })
})
