import { execFileSync } from 'node:child_process'
import { appendFileSync, chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import { fileServer, ingestWorld, manifest, testFolder } from './ingest-world.ts'

/* Files of this machine that are not what they seem, each row of a batch another one. */

const urlOf = (...path: readonly string[]) => pathToFileURL(join(...path)).href

describe('a file of this machine', () => {
  it('X11: outside of the allowed folders, or none at all, fails its job alone; nothing hangs', async () => {
    const allowed = testFolder()
    const other = testFolder()
    const world = await ingestWorld({ ingestFolders: allowed })
    writeFileSync(join(other, 'secret'), 'secret')
    writeFileSync(join(allowed, 'well'), 'well')
    symlinkSync(join(other, 'secret'), join(allowed, 'link'))
    symlinkSync(other, join(allowed, 'linked'))
    symlinkSync('round', join(allowed, 'round'))
    symlinkSync(join(allowed, 'well'), join(allowed, 'within'))
    execFileSync('mkfifo', [join(allowed, 'pipe')])
    mkdirSync(join(allowed, 'folder'))
    const outside = /is not in a folder that may be read/
    const rows: readonly (readonly [url: string, says: RegExp | 'well'])[] = [
      [urlOf(allowed, 'well'), 'well'],
      [urlOf(allowed, 'within'), 'well'],
      [urlOf(other, 'secret'), outside],
      [urlOf(allowed, 'link'), outside],
      [urlOf(allowed, 'linked', 'secret'), outside],
      [`${urlOf(allowed)}/../${other.split('/').at(-1)}/secret`, outside],
      [urlOf(allowed, 'round'), /ELOOP|in a circle/],
      [urlOf(allowed, 'gone'), /is not there; check the path/],
      [urlOf(allowed, 'pipe'), /is not a file; name the file itself/],
      [urlOf(allowed, 'folder'), /is not a file; name the file itself/],
      ['file://nas.example/a', /is on another host; mount it/],
      ['file:///dev/zero', outside],
    ]
    const text = manifest(
      'mrt-single-file-batch-manifest',
      rows.map(([url], i) => [url, '', '', '', '', `${i}`]),
    )
    const url = urlOf(allowed, 'batch.checkm')
    writeFileSync(join(allowed, 'batch.checkm'), text)
    const batch = await world.submit({ payload: { url } })
    await world.ended(batch)
    const found = world.jobsOf(batch).map(({ state, message }) => (state === 'completed' ? 'well' : message))
    expect(found).toEqual(rows.map(([, says]) => (says === 'well' ? says : expect.stringMatching(says))))
  })

  it('X12: that is written to while it is read fails, and what came of it is not stored', async () => {
    const world = await ingestWorld()
    const url = await world.file('log.bin', Buffer.alloc(64 * 1024 ** 2))
    const timer = setInterval(() => appendFileSync(join(world.content, 'log.bin'), 'x'), 1)
    onTestFinished(() => clearInterval(timer))
    const batch = await world.submit({ payload: { url, type: 'file' } })
    await world.ended(batch)
    const [job] = world.jobsOf(batch)
    expect(job).toMatchObject({ state: 'failed', failedIn: 'downloading', permanent: 0, version: null })
    expect(job!.message).toContain('changed while it was read; try again when nobody writes to it')
    clearInterval(timer)
    await world.resume(job!.job)
    expect(await world.jobIs(job!.job, 'completed')).toMatchObject({ version: 1 })
  })

  it.skipIf(process.getuid?.() === 0)('X11: that this user may not read fails, and says so', async () => {
    const world = await ingestWorld()
    const url = await world.file('a.txt', 'A')
    chmodSync(join(world.content, 'a.txt'), 0)
    const batch = await world.submit({ payload: { url, type: 'file' } })
    await world.ended(batch)
    expect(world.jobsOf(batch)[0]!.message).toContain('may not be read by this user; give it the right to')
  })
})

it('X9: where one size is unknown the others are not asked for', async () => {
  const world = await ingestWorld()
  const names = Array.from({ length: 50 }, (_, i) => `${i}.txt`)
  const { asked, address } = await fileServer(
    Object.fromEntries(
      names.map((name) => [
        name,
        (response, { method }) => (method === 'HEAD' ? response.writeHead(405).end() : response.end(name)),
      ]),
    ),
  )
  const rows = names.map((name) => [`${address}/${name}`])
  const url = await world.file('object.checkm', manifest('mrt-ingest-manifest', rows))
  const batch = await world.submit({ payload: { url } })
  expect(await world.ended(batch)).toMatchObject({ state: 'completed' })
  const heads = asked.filter(({ method }) => method === 'HEAD').length
  expect(heads).toBeGreaterThan(0)
  expect(heads).toBeLessThan(10)
  expect(world.jobsOf(batch)).toMatchObject([{ sizeKnown: 1, files: 50 + 7 }])
})
