import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { InvalidSetting } from '#src/async/errors.ts'
import { UnavailableError } from '#src/async/unavailable.ts'
import { changer, emptyFolder, openTestIndex, scanned, sortedUnique } from './lines.ts'

/* What the adapter adds to the index of @fonds/cdx: threads, errors of Fonds', and the place of an event. */

it('a merge in a thread that comes upon damage is done again without it', async () => {
  const folder = emptyFolder()
  const index = openTestIndex(folder, { graceMillis: 0 })
  const { publish } = changer(index)
  const lines = sortedUnique(Array.from({ length: 3000 }, (_, i) => `a)/${i} 2020 rest of the line`))
  await publish('main/a', lines)
  const [run] = await index.runs()
  const path = join(folder, `${run?.name}.cdx`)
  const bytes = readFileSync(path)
  bytes.write('zzzz', 30_000)
  writeFileSync(path, bytes)
  await publish('main/b', ['b)/ 2020'])
  const report = await index.mergeDue({ all: true })
  expect(report).toMatchObject({ merges: 1, lost: [{ blocks: 1, files: [{ file: 'main/a' }] }] })
  const left = await scanned(index)
  expect(left).toHaveLength(lines.length + 1 - report.lost[0]!.lines)
})

it('what another process is in the way of is unavailable, and a manifest of others a wrong setting', async () => {
  const folder = emptyFolder()
  const first = openTestIndex(folder)
  await changer(first).publish('one', ['a 1'])
  const second = openTestIndex(folder)
  await expect(changer(second, 1n).withdraw('one')).rejects.toThrow(UnavailableError)
  writeFileSync(join(folder, 'manifest'), 'CDX N b a m s k r M S V g\n')
  await expect(scanned(second)).rejects.toThrow(InvalidSetting)
  await expect(second.position()).rejects.toThrow(InvalidSetting)
  await expect(second.place()).rejects.toThrow(InvalidSetting)
})

it('indexing W26 what the disk refuses in a thread is unavailable', async () => {
  const folder = emptyFolder()
  const index = openTestIndex(folder)
  const { publish } = changer(index)
  await publish('one', ['a 1'])
  await publish('two', ['b 1'])
  const [oldest] = await index.runs()
  rmSync(join(folder, `${oldest?.name}.cdx`))
  const merged = index.mergeDue({ all: true })
  await expect(merged).rejects.toThrow(UnavailableError)
  await expect(merged).rejects.toThrow(/cannot be written/)
})

it('the event of the last change is given back as it was', async () => {
  const index = openTestIndex(emptyFolder())
  const event = {
    stream: 'file-1',
    revision: '3',
    id: '5b0c6f3e-8a4d-4f0e-9d59-3a1f0c9d7e21',
    position: '7',
    recordedAt: '2026-01-31T12:00:00.000Z',
  }
  const run = await index.write(['a 1\n'])
  await index.change([{ kind: 'publish', file: 'one', run, position: 7n, event }])
  expect(await index.place()).toEqual({ position: 7n, event })
})
