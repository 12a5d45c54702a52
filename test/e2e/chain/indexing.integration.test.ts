import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { warc } from '../../workers/indexing/archive.ts'
import { ask, type Line, linesOf, run, startServer, stop, until, useFolder } from '../run-fonds.ts'

/* Archive files in objects, through the real command line and HTTP: deposited, indexed where they lie, served, held back. */

it('a WARC file in an object is found and served, unless its deposit holds it back', async () => {
  const { folder, home } = useFolder()
  const env = { FONDS_INDEXING_GRACE_SECONDS: '1', FONDS_INDEXING_AGGREGATE_SECONDS: '1' }
  const given = { home, env: { ...env, FONDS_CHAIN: 'indexing' } }
  const fonds = (...args: readonly string[]) => ask(args, given)
  const deposit = async (id: string, files: Readonly<Record<string, string | Buffer>>, ...more: string[]) => {
    const box = join(folder, `${id}-${more.length}`)
    mkdirSync(box)
    for (const [name, content] of Object.entries(files)) writeFileSync(join(box, name), content)
    await fonds('ingest', 'submit', box, '--local-id', id, '--wait', ...more)
  }
  const dossierOf = async (id: string): Promise<Line> => {
    const ran = await run(['dossier', id, '--format', 'json'], given)
    return ran.code === 0 ? linesOf(ran)[0].dossiers[0] : undefined
  }
  const done = (id: string, version = 1): Promise<Line> =>
    until(`${id} is done`, async () => {
      const found = await dossierOf(id)
      return found?.state === 'done' && found.version === version ? found : undefined
    })

  const server = await startServer(given)
  const get = async (path: string) => {
    const response = await fetch(`${server.address}${path}`)
    return { status: response.status, text: await response.text() }
  }
  await deposit('open', { 'crawl.warc.gz': warc('http://example.org/open') })
  await deposit('held', {
    'crawl.warc.gz': warc('http://example.org/held'),
    'mrt-embargo.txt': 'embargoEndDate: 2090-12\n',
  })
  await deposit('letters', { 'a.txt': 'Dear Ada' })
  const [open, held] = [await done('open'), await done('held')]
  expect(open).toMatchObject({ archives: 1, indexed: 1, unindexed: 0, parts: 0 })
  expect(open.captures).toBeGreaterThan(0)
  expect(open.steps).toContainEqual(
    expect.objectContaining({
      workflow: 'indexing',
      state: 'done',
      says: expect.stringContaining('1 of 1 archive file'),
    }),
  )
  expect((await done('letters')).archives).toBe(0)

  const archives = await fonds('query', 'chain-archives')
  const nameOf = ({ object }: Line): string => archives.find((row) => row.object === object).name
  const [openName, heldName] = [nameOf(open), nameOf(held)]
  // Equal names do not meet, and a capture leads back to its object.
  expect(openName).toMatch(/^ark~3A=.*~_v1=content=producer=crawl\.warc\.gz$/)
  expect((await dossierOf(`storage/${openName}`)).object).toBe(open.object)
  const [file] = await fonds('query', 'indexing-files', '--where', `name=${openName}`)
  expect(file).toMatchObject({ repository: 'storage', state: 'indexed' })
  expect(file.location.startsWith(join(home, 'storage'))).toBe(true)

  await until('it is found', async () => (await get('/cdx?url=example.org/*')).text.includes(openName))
  expect((await fonds('indexing', 'captures', 'http://example.org/open')).length).toBeGreaterThan(0)
  expect((await get(`/warc/${openName}`)).status).toBe(200)
  expect((await get('/cdx?url=example.org/*')).text).not.toContain(heldName)
  expect((await get(`/warc/${heldName}`)).status).toBe(404)

  // An update ends the embargo.
  await deposit('held', { 'mrt-embargo.txt': 'embargoEndDate: none\n' }, '--update')
  await done('held', 2)
  await until('it is served', async () => (await get(`/warc/${heldName}`)).status === 200)
  await until('it is found', async () => (await get('/cdx?url=example.org/*')).text.includes(heldName))

  const events = await fonds('events', '--category', 'dossier')
  const types = events.filter(({ stream }) => stream.endsWith(open.object)).map(({ type }) => type)
  expect(types.filter((type) => type !== 'ContentHandedOver')).toEqual([
    'ObjectStored',
    'ArchivesListed',
    'ArchiveIndexed',
  ])
  expect(await fonds('query', 'fixity-stores')).toEqual([])
  expect(await stop(server)).toBe(0)
  expect(await run(['rebuild', 'chain', '--verify'], given)).toMatchObject({ code: 0 })
})

it('a damaged archive file puts its object at risk, beside what fixity found', async () => {
  const { folder, home } = useFolder()
  const given = { home, env: { FONDS_INDEXING_GRACE_SECONDS: '1', FONDS_CHAIN: 'fixity,indexing' } }
  const box = join(folder, 'box')
  mkdirSync(box)
  writeFileSync(join(box, 'crawl.warc.gz'), 'no archive file at all')
  const server = await startServer(given)
  await ask(['ingest', 'submit', box, '--local-id', 'box', '--wait'], given)
  const found: Line = await until('it is at risk, and verified', async () => {
    const ran = await run(['dossier', 'box', '--format', 'json'], given)
    const dossier = ran.code === 0 ? linesOf(ran)[0].dossiers[0] : undefined
    return dossier?.unindexed === 1 && dossier.parts > 0 && dossier.verified === dossier.parts
      ? dossier
      : undefined
  })
  expect(found).toMatchObject({ state: 'at-risk', archives: 1, indexed: 0, failing: 0 })
  expect(found.unwell).toEqual([expect.objectContaining({ path: expect.stringContaining('crawl.warc.gz') })])
  expect(found.next[0]).toContain('fonds indexing why')
  expect(await stop(server)).toBe(0)
  expect(await run(['rebuild', 'chain', '--verify'], given)).toMatchObject({ code: 0 })
})
