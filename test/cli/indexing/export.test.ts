import { closeSync, existsSync, openSync, readdirSync, readFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { batchOf, changer, openTestIndex } from '../../infra/capture-index/lines.ts'
import { useFonds } from '../fonds.ts'

const fonds = useFonds()

it('fonds indexing export writes all lines that hold, and nothing over what is there', async () => {
  const lines = ['org,example)/a 20260131120000 x', 'org,example)/b 20260131120000 x']
  await fonds.withSystem(async ({ adapters }) => {
    const { publish, withdraw } = changer(adapters.indexing.captureIndex())
    await publish('main/one', lines)
    await publish('main/two', ['org,example)/c 20260131120000 x'])
    await withdraw('main/two')
  })
  const into = join(fonds.folder, 'zipnum')
  const { rows } = await fonds.run(['indexing', 'export', into])
  expect(rows).toMatchObject([{ name: 'index', lines: 2, blocks: 1 }])
  expect(gunzipSync(readFileSync(join(into, 'index.cdx.gz')))).toEqual(batchOf(lines))
  expect(await fonds.run(['indexing', 'export', into])).toMatchObject({
    code: 1,
    err: expect.stringContaining('--name'),
  })
  expect(await fonds.run(['indexing', 'export', into, '--name', '../x'])).toMatchObject({ code: 2 })
  expect((await fonds.run(['indexing', 'export', into, '--name', 'next'])).code).toBe(0)
})

it('fonds indexing export refuses an index of which no line holds', async () => {
  await fonds.withSystem(async ({ adapters }) => {
    const { publish, withdraw } = changer(adapters.indexing.captureIndex())
    await publish('main/one', ['org,example)/a 20260131120000 x'])
    await withdraw('main/one')
  })
  const into = join(fonds.folder, 'zipnum')
  expect(await fonds.run(['indexing', 'export', into])).toMatchObject({
    code: 1,
    err: expect.stringContaining('FONDS_INDEXING_FOLDER'),
  })
  expect(existsSync(into)).toBe(false)
})

it('fonds indexing export needs no home, and leaves nothing of what was interrupted', async () => {
  const runs = join(fonds.folder, 'index', 'runs')
  const index = openTestIndex(runs)
  await changer(index).publish('by-hand', ['org,example)/a 20260131120000 x'])
  const into = join(fonds.folder, 'zipnum')
  const run = (more: readonly string[] = []) =>
    fonds.run(['indexing', 'export', into, ...more], {
      env: { FONDS_INDEXING_FOLDER: join(fonds.folder, 'index') },
      openAlone: true,
    })
  expect((await run()).rows).toMatchObject([{ lines: 1, blocks: 1 }])
  expect(existsSync(fonds.home)).toBe(false)

  const onLines = () => {
    throw new Error('stopped')
  }
  await expect(index.exportZipNum(into, 'next', { onLines })).rejects.toThrow('stopped')
  expect(readdirSync(into).sort()).toEqual(['index.cdx.gz', 'index.idx', 'index.loc'])
})

it('says that damaged blocks were left out, and so does doctor, before an aggregator has looked', async () => {
  const keys = Array.from({ length: 30_000 }, (_, i) => `org,example)/${String(i).padStart(6, '0')}`)
  const run = await fonds.withSystem(async ({ adapters }) => {
    const index = adapters.indexing.captureIndex()
    await changer(index).publish(
      'main/one',
      keys.map((key) => `${key} 20260131120000 x`),
    )
    return (await index.runs())[0]!.name
  })
  const file = openSync(join(fonds.home, 'index', 'runs', `${run}.cdx`), 'r+')
  writeSync(file, 'zzzzzzzz', 300_000)
  closeSync(file)
  const { code, rows, err } = await fonds.run(['indexing', 'export', join(fonds.folder, 'damaged')])
  expect({ code, err }).toEqual({
    code: 0,
    err: expect.stringContaining(`damaged blocks of the index were left out, of ${run}`),
  })
  expect(rows[0]!.lines).toBeLessThan(keys.length)
  const { rows: found } = await fonds.run(['doctor'])
  expect(found.find(({ says }) => String(says).includes(run))).toMatchObject({
    status: 'warn',
    check: 'capture index',
  })
})
