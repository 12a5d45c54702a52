import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { expect, it, onTestFinished, vi } from 'vitest'
import { systemClock } from '#src/async/system-clock.ts'
import type { IndexChange } from '#src/ports/capture-index.ts'
import { startAggregator } from '#src/workers/indexing/aggregator/aggregator.ts'
import { changeFilesOf } from '#src/workers/indexing/aggregator/change-files.ts'
import { refusedFilesOf } from '#src/workers/indexing/aggregator/refused-files.ts'
import { takeChanges } from '#src/workers/indexing/aggregator/take-changes.ts'
import { until } from '../../../fakes/clock.ts'
import { recordedTelemetry } from '../../../fakes/telemetry.ts'
import { batchOf, openTestIndex, scanned } from '../../../infra/capture-index/lines.ts'
import { indexingWorld } from '../../../processors/indexing/world.ts'
import { temporaryFolder } from '../temporary-folder.ts'

const setUp = () => {
  const root = temporaryFolder()
  const runs = join(root, 'runs')
  const index = openTestIndex(runs)
  const config = { indexingFolder: root, indexingAggregateSeconds: 600, host: '127.0.0.1', port: 7070 }
  const files = changeFilesOf({ config })
  const refused = refusedFilesOf({ config })
  const telemetry = recordedTelemetry()
  const told: { details: object; message: string }[] = []
  const tell = (details: object, message: string) => void told.push({ details, message })
  const log = { error: tell, warn: tell, debug: () => {} } as unknown as Logger
  const published = async (file: string, position: bigint, ...lines: string[]): Promise<IndexChange> => ({
    kind: 'publish',
    file,
    run: await index.write([batchOf(lines)]),
    position,
  })
  const take = () => takeChanges(files, refused, () => index, log)
  const waiting = () => readdirSync(join(root, 'incoming'))
  return { root, runs, index, config, files, refused, telemetry, told, log, published, take, waiting }
}

it('W33 what waits is taken over in the order of the log, and deleted', async () => {
  const { index, files, published, take, waiting } = setUp()
  await files.add([{ kind: 'withdraw', file: 'main/a', position: 12n }])
  await files.add([await published('main/a', 3n, 'a 1'), await published('main/b', 4n, 'b 1')])
  expect(await take()).toBe(2)
  expect(await scanned(index)).toEqual(['b 1'])
  expect(await index.position()).toBe(12n)
  expect(waiting()).toEqual([])
})

it('W18 what comes again after a crash changes nothing', async () => {
  const { index, files, published, take } = setUp()
  const changes = [await published('main/a', 3n, 'a 1')]
  await files.add(changes)
  await take()
  await files.add([{ kind: 'withdraw', file: 'main/a', position: 4n }])
  await take()
  await files.add(changes)
  await take()
  expect(await scanned(index)).toEqual([])
})

it('W35 a damaged file of changes is put aside, loudly, and the rest goes on', async () => {
  const { root, index, files, told, published, take, waiting } = setUp()
  mkdirSync(join(root, 'incoming'))
  writeFileSync(
    join(root, 'incoming', `${'1'.padStart(20, '0')}.changes`),
    '{"withdraw":"main/x","position":"1"}\n{"pub',
  )
  writeFileSync(
    join(root, 'incoming', `${'2'.padStart(20, '0')}.changes`),
    '{"withdraw":"main/x","position":2}\n',
  )
  writeFileSync(join(root, 'incoming', '.hidden'), '')
  await files.add([await published('main/a', 3n, 'a 1')])
  expect(await take()).toBe(3)
  expect(await scanned(index)).toEqual(['a 1'])
  expect(told.map(({ details }) => details)).toMatchObject([{ line: 2 }, { line: 1 }])
  expect(waiting().sort()).toEqual([
    '.hidden',
    '00000000000000000001.changes.damaged',
    '00000000000000000002.changes.damaged',
  ])
})

it('W35 a file whose run is gone is refused: whoever keeps the log has it read again', async () => {
  const { index, files, refused, told, published, take, waiting } = setUp()
  const change = await published('main/a', 3n, 'a 1')
  if (change.kind !== 'publish') throw new Error('it publishes')
  await files.add([{ ...change, run: { ...change.run, name: `${change.run.name}x` } }])
  await files.add([await published('main/b', 4n, 'b 1')])
  await take()
  expect(await scanned(index)).toEqual(['b 1'])
  expect(told).toMatchObject([{ details: { file: 'main/a' } }])
  const [name] = await refused.list()
  expect(await refused.read(name!)).toMatchObject({
    file: 'main/a',
    digest: change.run.sha256,
    reason: expect.stringContaining('is missing'),
  })
  expect(waiting()).toEqual([])
})

it('W27 a run that is damaged is told once, and its file is to be read again', async () => {
  const { runs, config, files, refused, index, telemetry, told, log, published, take } = setUp()
  const change = await published('main/a', 3n, 'a 1', 'b 1')
  if (change.kind !== 'publish') throw new Error('it publishes')
  await files.add([change])
  await take()
  const path = join(runs, `${change.run.name}.cdx`)
  writeFileSync(path, readFileSync(path, 'latin1').replace('b 1', 'B!1'))
  expect(await scanned(index)).toEqual([])
  const aggregator = startAggregator({
    config: { ...config, indexingAggregateSeconds: 0.01 },
    captureIndex: () => index,
    clock: systemClock,
    telemetry,
    log,
  })
  await vi.waitUntil(async () => (await refused.list()).length > 0 && told.length > 0)
  await aggregator.stop()
  const [name] = await refused.list()
  expect(await refused.read(name!)).toMatchObject({ file: 'main/a', digest: change.run.sha256 })
  expect(told).toMatchObject([{ details: { files: ['main/a'], lines: 2, blocks: 1, posts: 0 } }])
})

it('W18 changes that come again with more behind them are all taken, while the first are', async () => {
  const { root, index, files, published, take, waiting } = setUp()
  const first = await published('main/a', 3n, 'a 1')
  await files.add([first])
  const [name] = await files.list()
  const again = [first, await published('main/b', 4n, 'b 1')]
  const { change } = index
  index.change = async (changes) => {
    // Between reading what waits and deleting it, the one who hands over begins anew.
    await files.add(again)
    return change(changes)
  }
  await take()
  index.change = change
  expect(waiting()).not.toContain(name)
  await take()
  expect(await scanned(index)).toEqual(['a 1', 'b 1'])
  expect(readdirSync(join(root, 'incoming'))).toEqual([])
})

it('W33 takes what older code handed over, under its names', async () => {
  const { root, index, files, published, take, waiting } = setUp()
  await files.add([await published('main/a', 3n, 'a 1')])
  const [name] = waiting()
  renameSync(join(root, 'incoming', name!), join(root, 'incoming', `${'3'.padStart(20, '0')}.changes`))
  expect(await take()).toBe(1)
  expect(await scanned(index)).toEqual(['a 1'])
})

it('W24 takes changes within seconds, and merges on its timer; nothing is made where nothing is indexed', async () => {
  const context = setUp()
  const { index, runs, files, published, telemetry } = context
  const { clock } = indexingWorld()
  const aggregator = startAggregator({ ...context, clock, captureIndex: () => index })
  onTestFinished(() => aggregator.stop())
  await until(() => clock.sleepers() === 2)
  expect(existsSync(runs)).toBe(false)
  for (let n = 1; n <= 12; n++) await files.add([await published(`main/${n}`, BigInt(n), `k${n} 1`)])
  await clock.advance(1000)
  await until(() => clock.sleepers() === 2)
  expect(await index.runs()).toHaveLength(12)
  await clock.advance(600_000)
  await until(() => clock.sleepers() === 2)
  const merged = (await index.runs()).filter(({ level }) => level > 0)
  expect(merged).toHaveLength(1)
  expect(telemetry.counted('index_merges', '')).toEqual({ '': 1 })
  expect(telemetry.counted('index_merged_bytes', '')).toEqual({ '': merged[0]?.bytes })
  // It is written while the clock steps from the merge's own time on.
  const now = Date.parse(clock.now()) / 1000
  const mergedAt = telemetry.gauged('index_merged_timestamp_seconds').at(-1)
  expect(mergedAt).toBeGreaterThanOrEqual(now - 1)
  expect(mergedAt).toBeLessThanOrEqual(now)
  expect(await scanned(index)).toHaveLength(12)
})

it('W33 many runs are merged before it is time, so that look-ups read few', async () => {
  const context = setUp()
  const { index, files, published } = context
  const { clock } = indexingWorld()
  for (let n = 1; n <= 101; n++) await files.add([await published(`main/${n}`, BigInt(n), `k${n} 1`)])
  const aggregator = startAggregator({ ...context, clock, captureIndex: () => index })
  onTestFinished(() => aggregator.stop())
  await vi.waitUntil(async () => (await index.runs()).length === 1)
  expect(await scanned(index)).toHaveLength(101)
})

it('the index that another process changes is waited for', async () => {
  const context = setUp()
  const { runs, index, files, told, published } = context
  await index.change([await published('main/a', 1n, 'a 1')])
  const second = openTestIndex(runs)
  await files.add([await published('main/b', 2n, 'b 1')])
  const { clock } = indexingWorld()
  const aggregator = startAggregator({ ...context, clock, captureIndex: () => second })
  onTestFinished(() => aggregator.stop())
  await until(() => clock.sleepers() === 2)
  expect(await scanned(index)).toEqual(['a 1'])
  expect(told[0]?.details).toMatchObject({ reason: expect.stringContaining('another process') })
  await index.close()
  await clock.advance(1000)
  await until(() => clock.sleepers() === 2)
  expect(await scanned(second)).toEqual(['a 1', 'b 1'])
})

it('takes what waits before it ends', async () => {
  const context = setUp()
  const { index, files, published } = context
  const { clock } = indexingWorld()
  const aggregator = startAggregator({ ...context, clock, captureIndex: () => index })
  await until(() => clock.sleepers() === 2)
  await files.add([await published('main/a', 1n, 'a 1')])
  await aggregator.stop()
  expect(await scanned(index)).toEqual(['a 1'])
})
