import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { openOcflStore } from '#infra/object-store/ocfl/object-store.ts'
import { factsOfVersion } from '#src/workers/ingest/storage/version-facts.ts'
import { useFolder } from '../run-fonds.ts'
import { ask, run } from '../run-here.ts'

/* The embargo of an object is that of the files of its latest version. */

const useBox = () => {
  const { folder, home } = useFolder()
  const given = { home }
  let boxes = 0
  /** Submits a folder of files with these texts, and gives the object's embargo then. */
  const submit = async (texts: Readonly<Record<string, string>>, ...more: readonly string[]) => {
    const box = join(folder, `box-${++boxes}`)
    mkdirSync(box)
    for (const [name, text] of Object.entries(texts)) writeFileSync(join(box, name), text)
    const submitted = await run(['ingest', 'submit', box, '--wait', '--local-id', 'box', ...more], given)
    expect(submitted.code, submitted.stderr).toBe(0)
    const [object] = await ask(['ingest', 'object', 'box'], given)
    return object.embargoUntil
  }
  return { home, given, submit }
}

const until = (day: string) => ({ 'mrt-embargo.txt': `embargoEndDate: ${day}\n` })

it('stays where an update carries its file forward, moves with another one, and ends with none or without it', async () => {
  const { home, given, submit } = useBox()
  const update = '--update'
  expect(await submit({ 'a.txt': 'A', ...until('2031-12') })).toBe('2031-12-31')
  expect(await submit({ 'b.txt': 'B' }, update)).toBe('2031-12-31')
  expect(await submit(until('2030-06-30'), update)).toBe('2030-06-30')
  expect(await submit({ 'mrt-delete.txt': 'mrt-embargo.txt\n' }, update)).toBe(null)
  expect(await submit(until('2032'), update)).toBe('2032-12-31')
  expect(await submit(until('none'), update)).toBe(null)
  expect(await submit(until('2033'), update)).toBe('2033-12-31')
  expect(await submit({ 'c.txt': 'C' })).toBe(null)

  const days = ['2031-12-31', '2031-12-31', '2030-06-30', 'none', '2032-12-31', 'none', '2033-12-31', 'none']
  const stored = await ask(['events', '--type', 'VersionStored'], given)
  expect(stored.map(({ data }) => data.object.embargoUntil)).toEqual(days)
  const [object] = await ask(['ingest', 'object', 'box'], given)
  const shown = days.map((day) => (day === 'none' ? null : day))
  expect(object.versions.map((version: { embargoUntil: unknown }) => version.embargoUntil)).toEqual(shown)
  const versions = await ask(['query', 'ingest-versions', '--columns', 'version,embargoUntil'], given)
  expect(versions.map(({ embargoUntil }) => embargoUntil ?? null)).toEqual(shown)

  // As a person adopts them, who has lost the log.
  const objects = await openOcflStore(join(home, 'storage'))
  onTestFinished(() => objects.close())
  const held = await Promise.all(days.map((_, i) => factsOfVersion(objects, object.object, i + 1)))
  expect(held.map((facts) => facts?.embargoUntil)).toEqual(days)
  const [whole] = await ask(['rebuild', 'ingest', '--verify'], given)
  expect(whole.differences).toEqual([])
})
