import { utimesSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { changeFilesOf } from '#src/workers/indexing/aggregator/change-files.ts'
import { measureIndex } from '#src/workflows/indexing/measure.ts'
import { batchOf, changer, emptyFolder, openTestIndex } from '../../infra/capture-index/lines.ts'

it('indexing W1 the index says how large it is, and how long what is handed over has been waiting', async () => {
  const folder = emptyFolder()
  const index = openTestIndex(join(folder, 'runs'))
  const config = { indexingFolder: folder }
  const now = '2026-01-01T12:00:00.000Z'
  const context = { config, captureIndex: () => index, clock: { now: () => now } }
  const measured = async () =>
    Object.fromEntries((await measureIndex(context as never)).map(({ gauge, values }) => [gauge, values]))
  expect(await measured()).toEqual({
    index_runs: [],
    index_lines: [],
    index_bytes: [],
    index_bad_blocks: [{ labels: {}, value: 0 }],
    index_lost_lines: [{ labels: {}, value: 0 }],
    index_changes_waiting: [{ labels: {}, value: 0 }],
    index_change_age_seconds: [{ labels: {}, value: 0 }],
  })
  const { publish, withdraw } = changer(index)
  await publish('main/a', ['a 1', 'b 1'])
  await publish('main/b', ['c 1'])
  await withdraw('main/b')
  await index.mergeDue()
  const files = changeFilesOf({ config } as never)
  const run = await index.write([batchOf(['d 1'])])
  for (const position of [4n, 5n]) await files.add([{ kind: 'publish', file: 'main/d', run, position }])
  const [first] = await files.list()
  utimesSync(join(folder, 'incoming', first!), 0, new Date('2026-01-01T10:00:00Z'))
  expect(await measured()).toEqual({
    index_runs: [
      { labels: { level: '0', state: 'live' }, value: 1 },
      { labels: { level: '0', state: 'removed' }, value: 1 },
    ],
    index_lines: [
      { labels: { state: 'live' }, value: 2 },
      { labels: { state: 'removed' }, value: 1 },
    ],
    index_bytes: [
      { labels: { state: 'live' }, value: 8 },
      { labels: { state: 'removed' }, value: 4 },
    ],
    index_bad_blocks: [{ labels: {}, value: 0 }],
    index_lost_lines: [{ labels: {}, value: 0 }],
    index_changes_waiting: [{ labels: {}, value: 2 }],
    index_change_age_seconds: [{ labels: {}, value: 7200 }],
  })
})
