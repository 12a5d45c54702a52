import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { addMillis, MINUTE } from '#src/domain/kernel/time.ts'
import { lostLines } from '#src/processors/indexing/lost-lines.ts'
import { runTicker } from '#src/processors/runtime/ticker.ts'
import { createRefusedFiles } from '#src/workers/indexing/aggregator/refused-files.ts'
import { temporaryFolder } from '../../workers/indexing/temporary-folder.ts'
import { indexingWorld, named } from './world.ts'

const digest = 'ab'.repeat(32)
const lost = { file: 'main/a.warc', digest, reason: 'its run is gone' }

const setUp = async () => {
  const world = indexingWorld()
  const folder = join(temporaryFolder(), 'refused')
  const refused = createRefusedFiles(folder)
  const told: object[] = []
  const log = { ...world.log, error: (details: object) => void told.push(details) } as typeof world.log
  const { tick, stop } = runTicker([lostLines({ ...world, refused, log })], world)
  await stop()
  const index = async () => {
    const deadline = addMillis(world.clock.now(), MINUTE)
    await world.on(named('a.warc'), {
      type: 'Claim',
      holder: 'w',
      deadline,
      millis: MINUTE,
      policy: world.policy,
    })
    await world.fold()
    const fence = world.row('a.warc')!.fence
    const outcome = {
      status: 'indexed',
      files: 1,
      lines: 1,
      digest,
      size: 1,
      modifiedAt: '2026-01-31T11:00:00.000Z',
    }
    await world.on(named('a.warc'), { type: 'Report', fence, outcome, policy: world.policy })
  }
  await world.sight('a.warc')
  await index()
  return { world, folder, refused, told, tick, index, waiting: () => readdirSync(folder) }
}

it('W18 a file whose lines the index could not take is read again, once', async () => {
  const { world, refused, tick, index, waiting } = await setUp()
  await refused.add(lost, 3n)
  await tick()
  await tick()
  const read = ['FileClaimed', 'FileIndexed']
  expect(await world.typesOf('a.warc')).toEqual(['FileDiscovered', ...read, 'IndexingFailed'])
  expect(waiting()).toEqual([])
  await world.fold()
  expect(world.row('a.warc')).toMatchObject({
    state: 'failed',
    code: 'lost',
    because: 'its run is gone',
    queued: 1,
  })

  await world.clock.advance(world.policy.retryMillis)
  await index()
  await tick()
  expect(await world.typesOf('a.warc')).toEqual(['FileDiscovered', ...read, 'IndexingFailed', ...read])
})

it('what is damaged is put aside, and told of', async () => {
  const { folder, told, tick, waiting } = await setUp()
  mkdirSync(folder)
  writeFileSync(join(folder, `${'1'.padStart(20, '0')}.refused`), '{"file":')
  await tick()
  expect(waiting()).toEqual(['00000000000000000001.refused.damaged'])
  expect(told).toHaveLength(1)
})
