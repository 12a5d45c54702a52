import { describe, expect, it } from 'vitest'
import { research } from '#src/projections/research/projection.ts'
import { catchUp } from '#src/projections/runtime/catch-up.ts'
import { writeLog } from '../../fakes/matching-log.ts'
import { pastOfLeases } from '../../fakes/research-history.ts'
import { startServer } from '../server.ts'

const url = '/api/v1/research'
const all = 'since=2026-01-01T00:00:00Z'

const withPast = async () => {
  const server = await startServer()
  await writeLog(server.system, pastOfLeases())
  await catchUp({ ...server.system, projections: [research] })
  return server
}

describe('X14: GET research/simulate', () => {
  it('answers, and leaves the scheduler state of other questions as it is', async () => {
    const { get } = await withPast()
    const before = (await get(`${url}/next`)).body.upcoming
    const answer = await get(
      `${url}/simulate?leaseSeconds=8&itemSeconds=4&gapSeconds=4&maxClips=1&agingSeconds=null&count=3&${all}`,
    )
    expect(answer).toMatchObject({
      status: 200,
      body: {
        settings: { length: 4 },
        past: { granted: 2, actual: { leases: { ended: 1 } }, proposed: { leases: { cutShort: 1 } } },
        next: { present: { items: 2 }, proposed: { items: 4, upcoming: { length: 3 } } },
      },
    })
    expect((await get(`${url}/next`)).body.upcoming).toEqual(before)
  })

  it.each([
    [
      'itemSeconds=9000',
      409,
      { code: 'unfit-policy', detail: expect.stringContaining('must be below leaseSeconds (7200)') },
    ],
    ['maxClips=0', 400, { path: 'maxClips' }],
    [
      'maxClips=many',
      400,
      { path: 'maxClips', detail: expect.stringContaining('whole number from 1 to 10000') },
    ],
    ['leaseSeconds=null', 400, { path: 'leaseSeconds' }],
    ['maxClip=3', 400, { code: 'unknown-parameter' }],
    ['maxClips=3&since=monday', 400, { path: 'since' }],
    ['', 400, { code: 'incomplete', detail: expect.stringContaining('one or more of leaseSeconds') }],
  ])('%s: is refused', async (asked, status, body) => {
    const { get } = await withPast()
    expect(await get(`${url}/simulate?${asked}`)).toMatchObject({ status, body })
  })

  it('is asked again where no views are', async () => {
    const { get } = await startServer()
    expect(await get(`${url}/simulate?maxClips=3`)).toMatchObject({
      status: 503,
      body: { code: 'view-not-ready' },
    })
  })
})
