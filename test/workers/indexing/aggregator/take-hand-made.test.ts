import { mkdirSync, readdirSync, renameSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createHandMadeFiles } from '#src/workers/indexing/aggregator/hand-made-files.ts'
import { takeHandMade } from '#src/workers/indexing/aggregator/take-hand-made.ts'
import { openTestIndex, scanned } from '../../../infra/capture-index/lines.ts'
import { temporaryFolder } from '../temporary-folder.ts'

const now = '2026-01-31T12:00:00.000Z'
const before = (seconds: number) => new Date(Date.parse(now) - seconds * 1000)

const setUp = () => {
  const root = temporaryFolder()
  const folder = join(root, 'incoming')
  mkdirSync(folder)
  const index = openTestIndex(join(root, 'runs'))
  const told: object[] = []
  const tell = (details: object) => void told.push(details)
  const listed = createHandMadeFiles(folder, (path) => told.push({ path }))
  let listings = 0
  const files = {
    ...listed,
    list: (at: string) => {
      listings++
      return listed.list(at)
    },
  }
  /** In one step, as whoever makes files is asked to. */
  const put = (name: string, text: string, seconds = 60) => {
    const draft = join(root, name)
    writeFileSync(draft, text)
    utimesSync(draft, before(seconds), before(seconds))
    renameSync(draft, join(folder, name))
  }
  const take = (goesOn?: () => Promise<boolean>) =>
    takeHandMade(files, now, () => index, { error: tell, warn: tell }, goesOn, 10)
  const pages = async () => (await scanned(index)).map((line) => line.split(' ')[2]?.split('/').at(-1))
  return {
    folder,
    index,
    told,
    put,
    take,
    pages,
    listings: () => listings,
    waiting: () => readdirSync(folder),
  }
}

const line = (page: string) =>
  `x 20260101120000 http://example.org/${page} text/html 200 3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ - - 340 0 c.warc.gz\n`

it('W23, W25 more files than one change of the index takes are listed once, and others go on meanwhile', async () => {
  const { put, take, pages, listings, waiting } = setUp()
  for (let n = 0; n < 11; n++) put(`${n}.cdx`, line('a'))
  const left: number[] = []
  await take(async () => left.push(waiting().length) > 0)
  expect(left).toEqual([1, 0])
  expect(listings()).toBe(1)
  expect(await pages()).toEqual(['a'])
})

it('W23 whoever is to end leaves the rest for the next time', async () => {
  const { put, take, waiting } = setUp()
  for (let n = 0; n < 11; n++) put(`${n}.cdx`, line('a'))
  await take(async () => false)
  expect(waiting()).toHaveLength(1)
})

it('W25, W33 a file that another one replaces while it is taken costs neither: the other is taken next', async () => {
  const { index, put, take, pages, waiting } = setUp()
  put('a.cdx', line('former'))
  const { changeByHand } = index
  index.changeByHand = async (changes) => {
    const refused = await changeByHand(changes)
    put('a.cdx', line('latter'), 30)
    return refused
  }
  await take()
  expect(waiting()).toEqual(['a.cdx'])
  index.changeByHand = changeByHand
  await take()
  expect(await pages()).toEqual(['latter'])
  expect(waiting()).toEqual([])
})

it('W25 a list that is older than the lines does not take them away, though they came while it was read', async () => {
  const { index, put, take, pages, waiting } = setUp()
  put('a.cdx', line('former'), 60)
  put('a.withdrawn', 'a\n', 50)
  const { write } = index
  index.write = async (batches) => {
    const run = await write(batches)
    put('a.cdx', line('latter'), 40)
    return run
  }
  await take()
  index.write = write
  expect(waiting()).toEqual(['a.cdx'])
  await take()
  expect(await pages()).toEqual(['latter'])
})

it('W16, W35 lines that the index cannot take stay where they were made, under another name', async () => {
  const { index, told, put, take, pages, waiting } = setUp()
  put('a.cdx', line('a'))
  put('b.cdx', line('b'))
  const { write } = index
  let isFirst = true
  index.write = async (batches) => {
    const run = await write(batches)
    const gone = isFirst ? { ...run, name: `${run.name}x` } : run
    isFirst = false
    return gone
  }
  await take()
  expect(await pages()).toEqual(['b'])
  expect(waiting()).toEqual(['a.cdx.damaged'])
  expect(told).toMatchObject([{ file: 'a', kept: expect.stringContaining('a.cdx.damaged') }])
})
