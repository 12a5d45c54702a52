import { appendFile, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createSnapshotStore } from '#infra/snapshots/file-system.ts'
import { UnavailableError } from '#src/async/unavailable.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fonds-snapshots-'))
})
afterEach(() => rm(folder, { recursive: true }))

const bytes = (text: string) => new TextEncoder().encode(text)

test('what was saved last is loaded whole', async () => {
  const store = createSnapshotStore(join(folder, 'new'))
  expect(await store.load('graph')).toBeUndefined()
  await store.save('graph', [bytes('one'), bytes('two')])
  await store.save('graph', [bytes('three')])
  expect(Buffer.from((await store.load('graph'))!).toString()).toBe('three')
  expect(await readdir(join(folder, 'new'))).toEqual(['graph.snapshot'])
})

test('a damaged snapshot is as good as none', async () => {
  const store = createSnapshotStore(folder)
  await store.save('graph', [bytes('one')])
  await appendFile(join(folder, 'graph.snapshot'), 'x')
  expect(await store.load('graph')).toBeUndefined()
  await writeFile(join(folder, 'graph.snapshot'), '')
  expect(await store.load('graph')).toBeUndefined()
})

test('a name is never a path', async () => {
  const store = createSnapshotStore(join(folder, 'inner'))
  await store.save('../outside', [bytes('one')])
  expect(await readdir(folder)).toEqual(['inner'])
  await store.drop('../outside')
  expect(await store.load('../outside')).toBeUndefined()
})

test('a snapshot that cannot be written leaves the one before', async () => {
  await writeFile(join(folder, 'file'), '')
  await expect(createSnapshotStore(join(folder, 'file')).save('graph', [bytes('one')])).rejects.toThrow(
    UnavailableError,
  )
})
