import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openPart } from '@fonds/download/http'
import { expect, it, onTestFinished } from 'vitest'
import { useFaultyFs } from '../../fakes/faulty-fs.ts'

it('a download that was left in order is gone on with where it lies: a full disk takes no second copy', async () => {
  const disk = useFaultyFs()
  const folder = await mkdtemp(join(tmpdir(), 'fonds-part-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 10 }))
  const place = { folder, key: 'abc', uri: 'https://media.example/1', staleMillis: 60_000 }
  const begun = await openPart(place)
  await begun.begin({ etag: '"v1"', total: 100 })
  await begun.write(Buffer.from('so far'))
  await begun.leave()

  const full = disk.set({ path: folder, calls: ['write'] })
  const heir = await openPart(place)
  onTestFinished(() => heir.discard().catch(() => {}))
  const text = await readFile(heir.path, 'utf8')
  expect([heir.size, heir.representation.etag, text, full.hits()]).toEqual([6, '"v1"', 'so far', 0])
  expect((await readdir(folder)).length).toBe(2)
  full.clear()
  await heir.write(Buffer.from(', and on'))
  expect(heir.hash()).toBe('4f983a49ecdc0df3a29fc1cc1e3f3ffb5d58d447b1c7570a5223e2a8db15dd36')
})
