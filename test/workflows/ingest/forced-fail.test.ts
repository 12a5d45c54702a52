import { isLeft } from 'fp-ts/lib/Either.js'
import { describe, expect, it } from 'vitest'
import { jobStream } from '#src/domain/ingest/ids.ts'
import { fileServer, ingestWorld, until } from './ingest-world.ts'

/** Events of a job, as they were written. */
const eventsOf = async ({ system }: Awaited<ReturnType<typeof ingestWorld>>, job: number) => {
  const read = await system.eventStore.read(jobStream(job), 'start', 'forward', 1000)()
  if (isLeft(read)) throw new Error(JSON.stringify(read.left))
  return read.right.map(({ type, data }) => ({
    type,
    ...(data as { to?: string; cause?: string; fence?: number }),
  }))
}

describe('a job that is forced to fail while a worker is at it (N15)', () => {
  it('is let go of long before its claim is to be extended; the worker says nothing of it any more', async () => {
    const world = await ingestWorld({ claimSeconds: 3600, stallSeconds: 3600 })
    let ended = 0
    let isWell = false
    const { address, asked } = await fileServer({
      // It sends a beginning and no more, until it is well.
      'a.txt': (response, { method }) => {
        response.on('close', () => ended++)
        response.writeHead(200, { 'content-length': 4 })
        if (method === 'HEAD') return response.end()
        return isWell ? response.end('Dear') : response.write('De')
      },
    })
    const batch = await world.submit({ payload: { url: `${address}/a.txt`, type: 'file' } })
    await until('the download hangs', () => (asked.some(({ method }) => method === 'GET') ? true : undefined))
    const { job } = world.jobsOf(batch)[0]!
    const heads = asked.length
    expect(await world.ask('force-fail', { job })).toMatchObject({
      code: 'unconfirmed',
      message: expect.stringMatching(/ingest@.* works on it and is not notified before it reports/),
    })
    expect(await world.ask('force-fail', { job, confirmed: true })).toBeUndefined()
    await until('the worker has let go', () => (ended === heads ? true : undefined))
    expect(await world.batchIs(batch, 'failed')).toMatchObject({ failed: 1 })

    isWell = true
    expect(await world.ask('resume-job', { job })).toBeUndefined()
    expect(await world.jobIs(job, 'completed')).toMatchObject({ version: 1, retryCount: 1 })
    const events = await eventsOf(world, job)
    const forced = events.findIndex(({ cause }) => cause === 'N15')
    expect(events.slice(forced).filter(({ fence }) => fence === 1)).toEqual([])
    expect(events.filter(({ to }) => to === 'failed')).toHaveLength(1)
  })
})
