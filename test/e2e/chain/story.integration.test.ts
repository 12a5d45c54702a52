import { createHash } from 'node:crypto'
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { ask, type Line, linesOf, run, startServer, stop, until, useFolder } from '../run-fonds.ts'

/* An object on its way, through the real command line and HTTP: stored, verified, damaged, repaired, continued. */

const by = ['--actor', 'ada', '--reason', 'a test']

const useArchive = () => {
  const { folder, home } = useFolder()
  const given = { home, env: { FONDS_CHAIN: 'fixity' } }
  const letters = join(folder, 'letters')
  mkdirSync(letters)
  writeFileSync(join(letters, '1.txt'), 'Dear Ada,\n')
  writeFileSync(join(letters, '2.txt'), 'Yours, B.\n')
  writeFileSync(join(letters, 'same.txt'), 'Dear Ada,\n')
  const fonds = (...args: readonly string[]) => ask(args, given)
  const dossierOf = async (id: string): Promise<Line> => {
    const ran = await run(['dossier', id, '--format', 'json'], given)
    return ran.code === 0 ? linesOf(ran)[0].dossiers[0] : undefined
  }
  const reaches = (id: string, state: string, version = 1): Promise<Line> =>
    until(`${id} is ${state}`, async () => {
      const found = await dossierOf(id)
      return found?.state === state && found.version === version ? found : undefined
    })
  const events = async (): Promise<readonly Line[]> => fonds('events', '--category', 'dossier')
  return { given, home, letters, fonds, dossierOf, reaches, events }
}

it('an object is done when all of it is verified, at risk while a byte is wrong, and done again', async () => {
  const { given, home, letters, fonds, reaches, events } = useArchive()
  const server = await startServer(given)
  const get = async (path: string): Promise<Line> => (await fetch(`${server.address}${path}`)).json()
  await fonds('ingest', 'submit', letters, '--local-id', 'box-7', '--wait')
  const done = await reaches('box-7', 'done')
  // Two contents, six descriptions, two records of the version, three at the top.
  expect(done).toMatchObject({ parts: 13, verified: 13, failing: 0, unwell: [], next: [] })

  const [{ path }] = (await fonds('query', 'chain-parts')).filter((part) => part.path.endsWith('/1.txt'))
  const item = (await fonds('query', 'fixity-items', '--where', `path=${path}`))[0]
  expect(item).toMatchObject({
    store: 'storage',
    state: 'verified',
    recordedFrom: `ingest, batch ${done.batch}`,
  })
  for (const id of [done.object, done.batch, `storage/${path}`, '1'])
    expect((await fonds('dossier', id, '--format', 'json'))[0].dossiers[0].object).toBe(done.object)
  expect((await get('/api/v1/chain/dossier?id=box-7')).dossiers).toMatchObject([{ state: 'done' }])
  expect(await (await fetch(`${server.address}/api/v1/chain/dossier?id=nothing`)).json()).toMatchObject({
    status: 404,
  })

  await fonds('do', 'fixity.change-policy', 'store=storage', 'lagSeconds=0', ...by)
  const file = join(home, 'storage', path)
  const kept = `${file}.kept`
  copyFileSync(file, kept)
  const text = readFileSync(file, 'utf8')
  rmSync(file)
  writeFileSync(file, text.replace('Ada', 'Eve'))
  const check = () => fonds('do', 'fixity.check', 'store=storage', `path=${path}`, ...by)
  await check()
  const atRisk = await reaches('box-7', 'at-risk')
  expect(atRisk).toMatchObject({
    verified: 12,
    failing: 1,
    unwell: [{ path, state: 'failed', finding: expect.stringContaining('not as recorded') }],
    next: [expect.stringContaining(path)],
  })
  expect((await fonds('chain', 'objects', '--state', 'at-risk')).map(({ object }) => object)).toEqual([
    done.object,
  ])
  expect(await fonds('doctor')).toContainEqual(
    expect.objectContaining({ check: 'chain', status: 'warn', says: '1 object at risk' }),
  )
  copyFileSync(kept, file)
  rmSync(kept)
  await check()
  await reaches('box-7', 'done')

  const before = (await fonds('query', 'fixity-bit-log', '--where', `path=${path}`)).length
  writeFileSync(join(letters, '3.txt'), 'Dear B.,\n')
  await fonds('ingest', 'submit', join(letters, '3.txt'), '--local-id', 'box-7', '--update', '--wait')
  const continued = await reaches('box-7', 'done', 2)
  expect(continued.parts).toBeGreaterThan(13)
  expect(continued.verified).toBe(continued.parts)
  // Bytes that are verified are not read again for a new version.
  expect(await fonds('query', 'fixity-bit-log', '--where', `path=${path}`)).toHaveLength(before)
  expect((await events()).map(({ type }) => type)).toEqual([
    'ObjectStored',
    'ContentHandedOver',
    'PartsVerified',
    'PartFailed',
    'PartCleared',
    'ObjectStored',
    'ContentHandedOver',
    'PartsVerified',
  ])
  const asOf = async (time: string) =>
    (await fonds('dossier', 'box-7', '--as-of', time, '--format', 'json'))[0].dossiers[0]
  expect(await asOf(atRisk.since)).toMatchObject({ state: 'at-risk', version: 1 })
  expect(await stop(server)).toBe(0)
  expect(await run(['rebuild', 'chain', '--verify'], given)).toMatchObject({ code: 0 })
})

it('the submitter’s checksums are the record of what he handed in', async () => {
  const { given, letters, fonds, reaches } = useArchive()
  const manifest = (digest: string) =>
    [
      '#%checkm_0.7',
      '#%profile | http://uc3.cdlib.org/registry/ingest/manifest/mrt-ingest-manifest',
      '#%fields | nfo:fileUrl | nfo:hashAlgorithm | nfo:hashValue | nfo:fileSize | nfo:fileLastModified | nfo:fileName | mrt:mimeType',
      `file://${letters}/1.txt | md5 | ${digest} | 10 | | 1.txt | text/plain`,
      '#%eof',
      '',
    ].join('\n')
  const digest = createHash('md5').update('Dear Ada,\n').digest('hex')
  const file = join(letters, 'object.checkm')
  writeFileSync(file, manifest(digest))
  const server = await startServer(given)
  const [{ batch }] = (await fonds('ingest', 'submit', file, '--local-id', 'm', '--wait')).slice(-1)
  await reaches('m', 'done')
  const [item] = (await fonds('query', 'fixity-items')).filter(({ path }) => path.endsWith('/1.txt'))
  expect(item).toMatchObject({
    state: 'verified',
    recordedFrom: `the submitter, batch ${batch}`,
    checksums: [{ algorithm: 'md5', value: digest }],
    indexedBy: 'outside',
  })
  expect(await stop(server)).toBe(0)
})

it('what is off costs nothing: no dossier, no view, no store', async () => {
  const { home, letters } = useArchive()
  const given = { home }
  const server = await startServer(given)
  await ask(['ingest', 'submit', letters, '--wait'], given)
  expect(await ask(['events', '--category', 'dossier'], given)).toEqual([])
  expect(await ask(['query', 'fixity-stores'], given)).toEqual([])
  const projections = await (await fetch(`${server.address}/api/v1/projections`)).json()
  expect(JSON.stringify(projections)).not.toContain('"chain"')
  const answer = await fetch(`${server.address}/api/v1/chain/dossier?id=1`)
  const { code }: Line = await answer.json()
  expect([answer.status, code]).toEqual([409, 'chain-off'])
  expect(await stop(server)).toBe(0)
})
