import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { housekeepingDecider } from '#src/domain/ingest/housekeeping/decide.ts'
import { housekeepingStream, jobStream } from '#src/domain/ingest/ids.ts'
import { jobDecider } from '#src/domain/ingest/job/decide.ts'
import { ingestWorld, sha256, until } from './ingest-world.ts'

it('the folder of a completed job goes when a person says so, with what was uploaded; what is stored stays (I39)', async () => {
  const world = await ingestWorld()
  const { home, ingestWork } = world.system.config
  const id = await world.submit({ payload: { url: await world.file('a.txt', 'A'), type: 'file' } })
  await world.ended(id)
  const [job] = world.jobsOf(id)
  const folder = join(ingestWork, id, `${job!.job}-1`)
  const drop = join(home, 'drop', id)
  await mkdir(drop, { recursive: true })
  expect({ isThere: existsSync(folder), folder: job!.folder }).toEqual({ isThere: true, folder: 1 })
  const at = world.system.clock.now()
  await world.system.execute(housekeepingDecider, {
    stream: housekeepingStream,
    command: {
      type: 'RequestCleaning',
      before: '2999-01-01T00:00:00.000Z',
      reason: 'full',
      actor: 'ada',
      at,
    },
    causationId: 'clean',
  })
  await until('the folder is gone', () => (world.jobsOf(id)[0]?.folder === 0 ? true : undefined))
  expect(existsSync(join(ingestWork, id))).toBe(false)
  expect(existsSync(drop)).toBe(false)
  expect(await world.stored(job!.ark, 'producer/a.txt')).toBe('A')
  expect(world.jobsOf(id)).toMatchObject([{ state: 'completed' }])
})

it('the folder of a failed job stays, and goes at once when the job is deleted (I40)', async () => {
  const world = await ingestWorld()
  const url = await world.file('a.txt', 'A')
  const digest = { algorithm: 'sha256', value: sha256('B') }
  const id = await world.submit({ payload: { url, type: 'file', digest } })
  await world.ended(id)
  const [job] = world.jobsOf(id)
  const folder = join(world.system.config.ingestWork, id, `${job!.job}-1`)
  expect(existsSync(folder)).toBe(true)
  const at = world.system.clock.now()
  await world.system.execute(jobDecider, {
    stream: jobStream(job!.job),
    command: { type: 'DeleteJob', reason: 'no', confirmed: true, actor: 'ada', at },
    causationId: 'delete',
  })
  await until('its row is gone', () => (world.jobsOf(id).length === 0 ? true : undefined))
  expect(existsSync(folder)).toBe(false)
})
