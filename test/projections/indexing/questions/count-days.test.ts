import { expect, it } from 'vitest'
import { countDays } from '#src/projections/indexing/questions/count-days.ts'
import { indexOf, sourceOf } from '../captures/given-index.ts'

const line = (time: string, mime: string, status: string) =>
  `org,example)/ ${time} http://example.org/ ${mime} ${status} AAAA - - 512 0 a.warc.gz`

it('counts captures a day by what came of each: a revisit is one whatever status it has, and no status is no error', async () => {
  const lines = [
    line('20260131000000', 'text/html', '200'),
    line('20260131120000', 'warc/revisit', '404'),
    line('20260131130000', 'text/html', '404'),
    line('20260131140000', 'text/html', '503'),
    line('20260131150000', 'text/html', '301'),
    line('20260131160000', 'text/html', '-'),
    line('20250201000000', 'text/html', '200'),
  ]
  const { days, total } = await countDays(
    sourceOf(indexOf({ a: lines })),
    { keys: { key: 'org,example)/' } },
    new AbortController().signal,
  )
  expect(total).toBe(7)
  expect(days).toEqual([
    { day: '2025-02-01', captures: 1, revisits: 0, redirects: 0, errors: 0 },
    { day: '2026-01-31', captures: 6, revisits: 1, redirects: 1, errors: 2 },
  ])
})
