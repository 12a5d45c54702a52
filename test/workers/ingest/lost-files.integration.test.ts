import { existsSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { pathToFileURL } from 'node:url'
import { beforeEach, describe, expect, it } from 'vitest'
import { done } from '../../infra/object-store/root-folder.ts'
import { testFolder } from '../../workflows/ingest/ingest-world.ts'
import { stepsWorld } from './steps-world.ts'

/* The work folder is not synced: after a power cut any of it may be cut short, or gone. */

describe('X22, N5 what a power cut took from the work folder', () => {
  let source: string
  let world: Awaited<ReturnType<typeof stepsWorld>>

  beforeEach(async () => {
    source = testFolder()
    writeFileSync(join(source, 'a.txt'), 'A')
    writeFileSync(join(source, 'b.txt'), 'B')
    world = await stepsWorld({ url: pathToFileURL(source).href, type: 'folder' })
  })

  const expectStored = async () => {
    const { ark = '', version } = (await world.claim('storing')) as { ark?: string; version?: number }
    expect(version).toBe(1)
    expect((await done(world.objects.head(ark)))?.version).toBe(1)
    const files = await done(world.objects.files(ark))
    expect(files?.filter(({ path }) => path.startsWith('producer/')).map(({ path }) => path)).toEqual([
      'producer/a.txt',
      'producer/b.txt',
    ])
    for (const [name, bytes] of [
      ['a.txt', 'A'],
      ['b.txt', 'B'],
    ] as const)
      expect(await text((await done(world.objects.read(ark, `producer/${name}`)))!.open())).toBe(bytes)
  }

  it.each([
    ['a file', () => truncateSync(join(world.workFolder().producer, 'a.txt'))],
    ['the list of files', () => truncateSync(world.workFolder().producerFiles, 20)],
    ['everything', () => rmSync(world.workFolder().path, { recursive: true })],
  ])('after downloading, %s, is brought anew', async (_, lose) => {
    await world.claim('downloading')
    lose()
    await world.claim('processing')
    await expectStored()
  })

  it.each([
    ['a file', () => truncateSync(join(world.workFolder().producer, 'b.txt'))],
    ['what we say of it', () => truncateSync(join(world.workFolder().system, 'mrt-erc.txt'))],
    ['the manifest', () => truncateSync(world.workFolder().storageManifest, 20)],
    ['everything', () => rmSync(world.workFolder().path, { recursive: true })],
  ])('before storing, %s, is made anew', async (_, lose) => {
    await world.claim('downloading', 'processing')
    lose()
    await expectStored()
  })

  it('needs no source where nothing is lost', async () => {
    await world.claim('downloading')
    rmSync(source, { recursive: true })
    await world.claim('processing')
    await expectStored()
  })

  it('is not needed any more once the version is stored: it is the one that is there', async () => {
    await world.claim('downloading', 'processing', 'storing')
    rmSync(world.workFolder().path, { recursive: true })
    rmSync(source, { recursive: true })
    await expectStored()
    expect(existsSync(world.workFolder().path)).toBe(false)
  })

  it.each([[['downloading', 'processing', 'storing']], [['processing', 'storing']]] as const)(
    'or where the log does not know yet how far the job came: %j once more is the version that is there',
    async (states) => {
      await world.claim('downloading', 'processing', 'storing')
      world.forget()
      await world.claim(...states)
      await expectStored()
    },
  )

  it('fails where the source is gone too, and names it', async () => {
    await world.claim('downloading')
    rmSync(join(world.workFolder().producer, 'a.txt'))
    rmSync(source, { recursive: true })
    await expect(world.claim('processing')).rejects.toThrow(/is not there/)
    expect(readdirSync(world.workFolder().producer)).toEqual(['b.txt'])
  })
})
