import { createHash } from 'node:crypto'
import { text } from 'node:stream/consumers'
import { pathToFileURL } from 'node:url'
import { isLeft } from 'fp-ts/lib/Either.js'
import { expect, it } from 'vitest'
import { writeContent } from '../archive.ts'
import { openHome } from '../open-home.ts'
import { startServer, stop, until, useFolder } from '../run-fonds.ts'
import { ask, run } from '../run-here.ts'

/* What a depositor does by hand: a message on the topic of submissions, and the stored file at its end. */

it('a file and a manifest on the topic of submissions become stored objects', async () => {
  const given = useFolder()
  const { root } = given
  const address = (path: string) => pathToFileURL(`${root}/${path}`).href
  const digest = createHash('sha256').update('Dear all').digest('hex')
  writeContent(root, 'letter.txt', 'Dear all')
  writeContent(
    root,
    'object.checkm',
    [
      '#%checkm_0.7',
      '#%profile | http://uc3.cdlib.org/registry/ingest/manifest/mrt-ingest-manifest',
      `${address('letter.txt')} | sha-256 | ${digest} | 8 | | letters/1.txt`,
      '#%eof\n',
    ].join('\n'),
  )
  const server = await startServer(given)
  const batches = ['letter.txt', 'object.checkm'].map((path) => ({
    batch: crypto.randomUUID(),
    profile: 'default',
    submitter: 'ada',
    mode: 'add',
    payload: { url: address(path) },
    localIds: [path],
  }))
  const stdin = batches.map((one) => `${JSON.stringify(one)}\n`).join('')
  const produced = await run(['produce', 'fonds.ingest.submissions', '--wait'], { ...given, stdin })
  expect(produced.code, produced.stderr).toBe(0)
  const system = await openHome(given.home)
  try {
    await until('both batches are completed', () => {
      const rows = system.viewStore.shape('ingest-batches')
        ? system.viewStore.query('ingest-batches', {})
        : []
      return rows.length === 2 && rows.every(({ state }) => state === 'completed')
    })
    const objects = await system.adapters.ingest.objectStore()
    const jobs = await ask(['query', 'ingest-jobs', '--columns', 'batch,ark,state,version'], given)
    const paths = ['producer/letter.txt', 'producer/letters/1.txt']
    for (const [i, { batch }] of batches.entries()) {
      const job = jobs.find((one) => one.batch === batch)
      expect(job).toMatchObject({ state: 'completed', version: 1 })
      const read = await objects.read(job.ark, paths[i]!)()
      if (isLeft(read) || !read.right) throw new Error(`${job.ark} lacks ${paths[i]}`)
      expect(await text(read.right.open())).toBe('Dear all')
      const [submitted] = await ask(['history', batch], given)
      const ofObject = await ask(['history', job.ark], given)
      expect(ofObject.map(({ type }) => type)).toEqual(['ArkReserved', 'VersionStored'])
      for (const { metadata } of ofObject)
        expect(metadata.correlationId).toBe(submitted.metadata.correlationId)
    }
  } finally {
    await system.close()
  }
  expect(await stop(server)).toBe(0)
  const verdicts = await ask(['rebuild', '--all', '--verify'], given)
  expect(verdicts.every(({ verdict }) => verdict === 'equal')).toBe(true)
})
