import { readdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { ingestWorld, testFolder } from './ingest-world.ts'

it('X17: an update of an object that lacks a file is not stored; it says which file of which object, and goes on once that is back', async () => {
  const ingestStorage = join(testFolder(), 'storage')
  const world = await ingestWorld({ ingestStorage })
  const first = await world.submit({ payload: { url: await world.file('a.txt', 'a'), type: 'file' } })
  await world.batchIs(first, 'completed')
  const ark = world.jobsOf(first)[0]?.ark ?? ''
  const names = () => readdirSync(ingestStorage, { recursive: true, encoding: 'utf8' }).sort()
  const kept = join(ingestStorage, names().find((name) => name.endsWith('v1/content/producer/a.txt'))!)
  renameSync(kept, `${ingestStorage}.a`)
  const before = names()

  const payload = { url: await world.file('b.txt', 'b'), type: 'file' }
  const update = await world.submit({ payload, mode: 'update', primary: ark })
  await world.ended(update)
  const [failed] = world.jobsOf(update)
  expect(failed).toMatchObject({ state: 'failed', failedIn: 'storing', permanent: 0, version: null })
  expect(failed?.message).toBe(
    `storage cannot take ${ark}: its file producer/a.txt is missing: ${kept} is not there; put it back from a copy of the object, then try again`,
  )
  expect(names()).toEqual(before)

  renameSync(`${ingestStorage}.a`, kept)
  await world.resume(failed!.job)
  await world.jobIs(failed!.job, 'completed')
  expect(await world.paths(ark, 2)).toEqual(expect.arrayContaining(['producer/a.txt', 'producer/b.txt']))
})
