import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import { files } from '#src/domain/ingest/views.ts'
import { is, rows } from '#src/domain/kernel/read-views.ts'
import { ingestWorld, manifest, md5, sha256 } from './ingest-world.ts'

type World = Awaited<ReturnType<typeof ingestWorld>>

const url = (...path: readonly string[]) => pathToFileURL(join(...path)).href

/** What is known of a file, as questions answer it. */
const facts = (world: World, version: number, name: string) => {
  const [row] = rows(world.system.viewStore, files, {
    where: [is('version', version), is('path', `producer/${name}`)],
  })
  if (!row) throw new Error(`there is no ${name} in version ${version}`)
  const { mimeType, declared, format } = row
  return { mimeType, declared, format }
}
const nothing = { mimeType: null, declared: null, format: null }

describe('what a depositor says of a file is known with it', () => {
  it('by a manifest; and still when another version carries it over', async () => {
    const world = await ingestWorld()
    const row = [await world.file('a.tif', 'A'), 'md5', md5('A'), 1, '2026-01-31', 'a.tif', 'image/tiff']
    const rows = [row, [await world.file('b.txt', 'B')], [await world.file('c.txt', 'C')]]
    const payload = { url: await world.file('m.checkm', manifest('mrt-ingest-manifest', rows)) }
    const first = await world.submit({ payload, localIds: ['box'] })
    expect(await world.ended(first)).toMatchObject({ state: 'completed' })
    const declared = { mimeType: 'image/tiff', lastModified: '2026-01-31', digests: { md5: md5('A') } }
    expect(facts(world, 1, 'a.tif')).toEqual({ mimeType: 'image/tiff', declared, format: null })
    expect(facts(world, 1, 'b.txt')).toEqual(nothing)

    const again = { url: await world.file('c.txt', 'new'), digest: { algorithm: 'SHA-1', value: '' } }
    again.digest.value = execFileSync('sha1sum', [join(world.content, 'c.txt')])
      .toString()
      .slice(0, 40)
    const second = await world.submit({ payload: again, mode: 'update', localIds: ['box'] })
    expect(await world.ended(second)).toMatchObject({ state: 'completed' })
    expect(facts(world, 2, 'a.tif')).toEqual({ mimeType: 'image/tiff', declared, format: null })
    expect(facts(world, 2, 'c.txt')).toEqual({
      ...nothing,
      declared: { digests: { sha1: again.digest.value } },
    })

    await world.file('third/a.tif', 'another one')
    const third = await world.submit({
      payload: { url: url(world.content, 'third') },
      mode: 'update',
      localIds: ['box'],
    })
    expect(await world.ended(third)).toMatchObject({ state: 'completed' })
    expect(facts(world, 3, 'a.tif')).toEqual(nothing)
  })

  it('by the manifests of a bag', async () => {
    const world = await ingestWorld()
    await world.file('bag/bagit.txt', 'BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n')
    await world.file('bag/data/a.txt', 'A')
    await world.file('bag/manifest-sha256.txt', `${sha256('A')}  data/a.txt\n`)
    await world.file('bag/manifest-md5.txt', `${md5('A')}  data/a.txt\n`)
    const id = await world.submit({ payload: { url: url(world.content, 'bag'), type: 'bag' } })
    expect(await world.ended(id)).toMatchObject({ state: 'completed' })
    expect(facts(world, 1, 'data/a.txt').declared).toEqual({
      digests: { sha256: sha256('A'), md5: md5('A') },
    })
    expect(facts(world, 1, 'bagit.txt')).toEqual(nothing)
  })
})

describe('X13 a manifest within', () => {
  const box = async (world: World, ...rows: readonly string[]) => {
    await world.file('box/a b.txt', 'A')
    await world.file('box/b.txt', 'B')
    await world.file('box/mrt-manifest.txt', ['#%checkm_0.7', ...rows, '#%eof', ''].join('\n'))
    execFileSync('tar', ['-cf', join(world.content, 'box.tar'), '-C', join(world.content, 'box'), '.'])
  }

  it.each(['box', 'box.tar'])('%s is stored where it is what the manifest lists', async (name) => {
    const world = await ingestWorld()
    await box(world, `a%20b.txt | md5 | ${md5('A')} | 1 | | text/plain`, 'b.txt')
    const id = await world.submit({ payload: { url: url(world.content, name) } })
    expect(await world.ended(id)).toMatchObject({ state: 'completed' })
    expect(facts(world, 1, 'a b.txt')).toMatchObject({ mimeType: 'text/plain' })
    expect(await world.stored(world.jobsOf(id)[0]!.ark, 'producer/mrt-manifest.txt')).toContain('a%20b')
  })

  it.each(['box', 'box.tar'])('%s fails for good where it is not, by name of the file', async (name) => {
    const world = await ingestWorld()
    await box(world, `a%20b.txt | md5 | ${md5('another')}`, 'gone.txt')
    const id = await world.submit({ payload: { url: url(world.content, name) } })
    expect(await world.ended(id)).toMatchObject({ state: 'failed' })
    const [job] = world.jobsOf(id)
    expect(job).toMatchObject({ failedIn: 'processing', permanent: 1 })
    for (const said of ['a b.txt has the md5 digest', 'b.txt is there, and', 'gone.txt is listed'])
      expect(job!.message).toContain(said)
  })
})
