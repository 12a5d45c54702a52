import { appendFileSync, existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { embargoListOf } from '#src/workers/indexing/aggregator/embargo-list.ts'
import { temporaryFolder } from '../temporary-folder.ts'

const now = '2026-01-31T12:00:00.000Z'
const lineOf = (file: string) =>
  Buffer.from(`org,example)/ 20260101000000 http://example.org/ text/html 200 D - - 9 1 ${file}`)

const useList = () => {
  const folder = temporaryFolder()
  const list = embargoListOf({ config: { indexingFolder: folder } })
  const held = async (...files: readonly string[]) => {
    const found = await list.heldBack(now)
    return files.filter((file) => found?.has(lineOf(file)))
  }
  return { list, held, path: join(folder, '.embargoes') }
}

it('indexing C19 the list in the folder of the index holds back what the last word on each file says', async () => {
  const { list, held, path } = useList()
  expect(await list.heldBack(now)).toBe(undefined)
  expect(await list.isMissing()).toBe(true)
  await list.replace([])
  expect([await list.isMissing(), existsSync(path)]).toEqual([false, true])
  expect(await list.heldBack(now)).toBe(undefined)
  await list.add([['main/a.warc', '2026-01-31']])
  await list.add([
    ['main/b c%.warc', '2031-12-31'],
    ['main/over.warc', '2026-01-30'],
  ])
  expect(await held('a.warc', 'b%20c%25.warc', 'over.warc', 'd.warc')).toEqual(['a.warc', 'b%20c%25.warc'])
  await list.add([['main/a.warc', null]])
  expect(await held('a.warc', 'b%20c%25.warc')).toEqual(['b%20c%25.warc'])
  await list.replace([['main/d.warc', '2031-12-31']])
  expect(await held('b%20c%25.warc', 'd.warc')).toEqual(['d.warc'])
})

it('indexing C19 a line that was cut off is passed over; a damaged list shows nothing', async () => {
  const { list, held, path } = useList()
  await list.add([['main/a.warc', '2031-12-31']])
  appendFileSync(path, '["main/b.warc","203')
  await list.add([['main/b.warc', '2031-12-31']])
  expect(await held('a.warc', 'b.warc')).toEqual(['a.warc', 'b.warc'])
  writeFileSync(path, '["main/a.warc","never"]\n')
  await expect(list.heldBack(now)).rejects.toThrow('is damaged')
})
