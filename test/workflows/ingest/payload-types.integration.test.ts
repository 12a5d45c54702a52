import { execFileSync } from 'node:child_process'
import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import { ingestWorld, manifest, sha256 } from './ingest-world.ts'

const producer = (paths: readonly string[]) => paths.filter((path) => path.startsWith('producer/'))
const url = (...path: readonly string[]) => pathToFileURL(join(...path)).href

describe('a folder', () => {
  it('is one object, with the names that its files have', async () => {
    const world = await ingestWorld()
    await world.file('box/a.txt', 'A')
    await world.file('box/deep/ü b.txt', 'B')
    const id = await world.submit({ payload: { url: url(world.content, 'box') } })
    expect(await world.ended(id)).toMatchObject({ state: 'completed', type: 'folder', jobs: 1 })
    const [job] = world.jobsOf(id)
    expect(producer(await world.paths(job!.ark))).toEqual(['producer/a.txt', 'producer/deep/ü b.txt'])
    expect(await world.stored(job!.ark, 'producer/deep/ü b.txt')).toBe('B')
  })

  it('as each-file is a batch with a job for each of its files', async () => {
    const world = await ingestWorld()
    for (let i = 0; i < 5; i++) await world.file(`box/${i}/file.txt`, `file ${i}`)
    const id = await world.submit({ payload: { url: url(world.content, 'box'), type: 'each-file' } })
    expect(await world.ended(id)).toMatchObject({ state: 'completed', jobs: 5, completed: 5 })
    const jobs = world.jobsOf(id)
    expect(new Set(jobs.map(({ ark }) => ark)).size).toBe(5)
    for (const [i, { ark }] of jobs.entries())
      expect(await world.stored(ark, `producer/${i}/file.txt`)).toBe(`file ${i}`)
  })

  it('as each-folder is a batch with a job for each folder in it, a bag among them, called as the folder is', async () => {
    const world = await ingestWorld()
    await world.file('box/.DS_Store', 'of a file manager')
    await world.file('box/letters/1.txt', 'one')
    await world.file('box/letters/more/2.txt', 'two')
    await world.file('box/ü bag/bagit.txt', 'BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n')
    await world.file('box/ü bag/data/3.txt', 'three')
    await world.file('box/ü bag/manifest-md5.txt', '35d6d33467aae9a2e3dccb4b6b027878  data/3.txt\n')
    const id = await world.submit({ payload: { url: url(world.content, 'box'), type: 'each-folder' } })
    expect(await world.ended(id)).toMatchObject({ state: 'completed', jobs: 2, completed: 2 })
    const jobs = new Map(world.jobsOf(id).map((job) => [job.title, job]))
    expect([...jobs.keys()].toSorted()).toEqual(['letters', 'ü bag'])
    const { ark } = jobs.get('letters')!
    expect(producer(await world.paths(ark))).toEqual(['producer/1.txt', 'producer/more/2.txt'])
    expect(jobs.get('ü bag')!.payload).toMatchObject({ type: 'bag' })
  })

  it('as each-folder fails where a file lies beside the folders: it would be in no object', async () => {
    const world = await ingestWorld()
    await world.file('box/letters/1.txt', 'one')
    await world.file('box/list.txt', 'of letters')
    const id = await world.submit({ payload: { url: url(world.content, 'box'), type: 'each-folder' } })
    expect(await world.ended(id)).toMatchObject({
      state: 'failed',
      message: expect.stringContaining('"list.txt" is no folder, and each folder is to be an object'),
    })
  })

  it('with a link in it fails for good, by name: it could lead anywhere (X8)', async () => {
    const world = await ingestWorld()
    await world.file('box/a.txt', 'A')
    symlinkSync('/etc/passwd', join(world.content, 'box', 'passwd'))
    const id = await world.submit({ payload: { url: url(world.content, 'box') } })
    expect(await world.ended(id)).toMatchObject({ state: 'failed' })
    const [job] = world.jobsOf(id)
    expect(job).toMatchObject({ failedIn: 'pending', permanent: 1 })
    expect(job!.message).toContain('"passwd" is neither a file nor a folder')
  })
})

describe('a container', () => {
  it('is unpacked into its object', async () => {
    const world = await ingestWorld()
    await world.file('box/a.txt', 'A')
    await world.file('box/deep/b.txt', 'B')
    execFileSync('tar', ['-czf', join(world.content, 'box.tar.gz'), '-C', join(world.content, 'box'), '.'])
    const id = await world.submit({ payload: { url: url(world.content, 'box.tar.gz') } })
    expect(await world.ended(id)).toMatchObject({ state: 'completed', type: 'container' })
    const [job] = world.jobsOf(id)
    expect(producer(await world.paths(job!.ark))).toEqual(['producer/a.txt', 'producer/deep/b.txt'])
    expect(job).toMatchObject({ spaceNeeded: 2 })
  })

  it.each([
    ['damaged.zip', 'PK no zip at all', 'downloading'],
    ['papers.7z', '7z', 'pending'],
  ])('%s fails for good (X13)', async (name, bytes, failedIn) => {
    const world = await ingestWorld()
    const id = await world.submit({ payload: { url: await world.file(name, bytes), type: 'container' } })
    expect(await world.ended(id)).toMatchObject({ state: 'failed' })
    expect(world.jobsOf(id)).toMatchObject([{ state: 'failed', failedIn, permanent: 1 }])
  })

  it('that is not the one that was announced fails for good, and is not unpacked (C11)', async () => {
    const world = await ingestWorld()
    const digest = { algorithm: 'sha256', value: sha256('another one') }
    const id = await world.submit({ payload: { url: await world.file('a.tar', 'not that one'), digest } })
    expect(await world.ended(id)).toMatchObject({ state: 'failed' })
    const [job] = world.jobsOf(id)
    expect(job).toMatchObject({ failedIn: 'downloading', permanent: 1 })
    expect(job!.message).toContain('has the sha256 digest')
  })
})

describe('a bag', () => {
  const bag = async (world: Awaited<ReturnType<typeof ingestWorld>>, text = 'A') => {
    await world.file('bag/bagit.txt', 'BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n')
    await world.file('bag/data/a.txt', text)
    await world.file('bag/manifest-sha256.txt', `${sha256('A')}  data/a.txt\n`)
  }

  it('is known by its bagit.txt where nobody said what it is, by whatever way it came', async () => {
    const world = await ingestWorld()
    await bag(world)
    const id = await world.submit({ payload: { url: url(world.content, 'bag') } })
    expect(await world.ended(id)).toMatchObject({ state: 'completed', type: 'bag' })
  })

  it.each(['folder', 'tar'])('that is valid is stored whole: %s', async (form) => {
    const world = await ingestWorld()
    await bag(world)
    execFileSync('tar', ['-cf', join(world.content, 'bag.tar'), '-C', world.content, 'bag'])
    const submitted = form === 'tar' ? url(world.content, 'bag.tar') : url(world.content, 'bag')
    const id = await world.submit({ payload: { url: submitted, type: 'bag' } })
    expect(await world.ended(id)).toMatchObject({ state: 'completed', type: 'bag' })
    const [job] = world.jobsOf(id)
    expect(producer(await world.paths(job!.ark))).toEqual([
      'producer/bagit.txt',
      'producer/data/a.txt',
      'producer/manifest-sha256.txt',
    ])
  })

  it('that is not valid fails for good, with what is wrong with it', async () => {
    const world = await ingestWorld()
    await bag(world, 'B')
    const id = await world.submit({ payload: { url: url(world.content, 'bag'), type: 'bag' } })
    expect(await world.ended(id)).toMatchObject({ state: 'failed' })
    const [job] = world.jobsOf(id)
    expect(job).toMatchObject({ failedIn: 'downloading', permanent: 1 })
    expect(job!.message).toContain('data/a.txt')
  })
})

describe('an update', () => {
  it('carries the files of the last version forward, replaces equal names and drops what mrt-delete.txt names', async () => {
    const world = await ingestWorld()
    for (const name of ['kept', 'replaced', 'dropped']) await world.file(`first/${name}.txt`, name)
    const first = await world.submit({ payload: { url: url(world.content, 'first') }, localIds: ['box'] })
    await world.ended(first)
    const ark = world.jobsOf(first)[0]!.ark
    await world.file('second/replaced.txt', 'new')
    await world.file('second/added.txt', 'added')
    await world.file('second/mrt-delete.txt', 'dropped.txt\nnever-there.txt\n')
    const payload = { url: url(world.content, 'second') }
    const second = await world.submit({ payload, mode: 'update', primary: ark, localIds: ['box-2'] })
    expect(await world.ended(second)).toMatchObject({ state: 'completed' })
    const [job] = world.jobsOf(second)
    expect(job).toMatchObject({ ark, version: 2, localIds: ['box-2', 'box'] })
    expect(producer(await world.paths(ark))).toEqual([
      'producer/added.txt',
      'producer/kept.txt',
      'producer/mrt-delete.txt',
      'producer/replaced.txt',
    ])
    expect(await world.stored(ark, 'producer/replaced.txt')).toBe('new')
    expect(await world.stored(ark, 'producer/replaced.txt', 1)).toBe('replaced')
    const listed = world.system.viewStore.query('ingest-files', {
      where: [{ column: 'version', is: '=', value: 2 }],
    })
    expect(listed.map(({ path }) => path)).toEqual(await world.paths(ark))
  })
})

describe('what a depositor says in files', () => {
  it('describes the object, and names it', async () => {
    const world = await ingestWorld()
    await world.file('box/a.txt', 'A')
    await world.file('box/mrt-erc.txt', 'erc:\nwho: Bob\nwhat: Boxes\nwhen: (:unas)\nwhere: box-7\n')
    await world.file('box/mrt-embargo.txt', 'embargoEndDate: 2030-01-01\n')
    const payload = { url: url(world.content, 'box') }
    const id = await world.submit({ payload, description: { what: 'A box', when: '1912' } })
    expect(await world.ended(id)).toMatchObject({ state: 'completed' })
    const [job] = world.jobsOf(id)
    expect(job).toMatchObject({ localIds: ['box-7'] })
    const written = await world.stored(job!.ark, 'system/mrt-erc.txt')
    expect(written).toBe(`erc:\nwho: Bob\nwhat: Boxes\nwhen: 1912\nwhere: ${job!.ark}\nwhere: box-7\n`)
  })

  it('with an embargo until no date fails in processing (X16)', async () => {
    const world = await ingestWorld()
    await world.file('box/mrt-embargo.txt', 'embargoEndDate: next summer\n')
    const id = await world.submit({ payload: { url: url(world.content, 'box') } })
    expect(await world.ended(id)).toMatchObject({ state: 'failed' })
    expect(world.jobsOf(id)).toMatchObject([{ failedIn: 'processing', permanent: 0 }])
  })
})

describe('a manifest', () => {
  const cases: readonly (readonly [string, (file: string) => string, RegExp])[] = [
    [
      'without an end (X4)',
      (file) => manifest('mrt-ingest-manifest', [[file]], ''),
      /does not end with "#%eof"/,
    ],
    [
      'with a size that is no number (X4)',
      (file) => manifest('mrt-ingest-manifest', [[file, '', '', 'many']]),
      /many/,
    ],
    [
      'with two rows of one name (X5)',
      (file) => manifest('mrt-ingest-manifest', [[file], [file]]),
      /line 4: the name "a.txt" is taken by line 3/,
    ],
    [
      'with a name that leads out of the folder (X8)',
      (file) => manifest('mrt-ingest-manifest', [[file, '', '', '', '', '../out']]),
      /leads out of the folder/,
    ],
    [
      'with a file that is the folder of another',
      (file) =>
        manifest('mrt-ingest-manifest', [
          [file, '', '', '', '', 'a'],
          [file, '', '', '', '', 'a/b'],
        ]),
      /"a" is a file in line 3/,
    ],
    ['without a row', () => manifest('mrt-ingest-manifest', []), /lists no file/],
  ]

  it.each(cases)('%s fails before any download, for good', async (_, text, message) => {
    const world = await ingestWorld()
    const file = await world.file('a.txt', 'A')
    const id = await world.submit({
      payload: { url: await world.file('m.checkm', text(file)), type: 'manifest' },
    })
    expect(await world.ended(id)).toMatchObject({ state: 'failed' })
    const [job] = world.jobsOf(id)
    expect(job).toMatchObject({ failedIn: 'pending', permanent: 1 })
    expect(job!.message).toMatch(message)
  })

  it('that is not the one that was announced fails for good (X6)', async () => {
    const world = await ingestWorld()
    const text = manifest('mrt-ingest-manifest', [[await world.file('a.txt', 'A')]])
    const payload = {
      url: await world.file('m.checkm', text),
      digest: { algorithm: 'MD5', value: '0'.repeat(32) },
    }
    const id = await world.submit({ payload })
    await world.ended(id)
    expect(world.jobsOf(id)).toMatchObject([{ failedIn: 'pending', permanent: 1 }])
  })

  it.each([
    ['of no row', manifest('mrt-batch-manifest', [])],
    ['of another profile', manifest('mrt-ingest-manifest', [['file:///x']])],
    ['with a row that cannot be used', manifest('mrt-batch-manifest', [['file:///x'], ['no url']])],
  ])('of a batch %s fails the batch, without a job (X2, N6)', async (_, text) => {
    const world = await ingestWorld()
    const payload = { url: await world.file('b.checkm', text), type: 'batch-manifest' }
    const id = await world.submit({ payload })
    const batch = await world.ended(id)
    expect(batch).toMatchObject({ state: 'failed', jobs: 0, reports: 0 })
    expect(batch.message).not.toBe('')
    expect(world.jobsOf(id)).toEqual([])
  })
})
