import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { readMerrittManifest } from '@fonds/bag'
import * as E from 'fp-ts/lib/Either.js'
import { expect, it, onTestFinished } from 'vitest'
import openContent from '#infra/content/open-content.ts'
import { defaultProfile } from '#src/domain/ingest/profile/profile.ts'
import { parseJson } from '#src/domain/kernel/json-text.ts'
import { createHttpClient } from '#src/workers/http/http-client.ts'
import { listSource } from '#src/workers/indexing/listing/list-source.ts'
import { receiveLines } from '#src/workers/indexing/posting/receive-lines.ts'
import { readProducerWords } from '#src/workers/ingest/describe/producer-words.ts'
import { folderRows } from '#src/workers/ingest/payload/folder-rows.ts'
import { warcRecord } from '../../packages/warc/test/make-warc.ts'
import { testFolder } from '../workflows/ingest/ingest-world.ts'
import { useReader } from './indexing/read-bytes.ts'

/* Each way in on which names and titles come as bytes: what is no UTF-8 is refused with a word, or kept as the bytes that it is. */

const hold = { signal: new AbortController().signal, progress: () => {} }
const latin1 = (text: string) => Buffer.from(text, 'latin1')
async function* chunks(bytes: Uint8Array) {
  yield bytes
}
const all = async <A>(items: AsyncIterable<A>): Promise<readonly A[]> => {
  const found: A[] = []
  for await (const item of items) found.push(item)
  return found
}

/** The name in bytes: a string would be written as UTF-8. */
const writeNamed = (folder: string, name: Buffer, bytes = 'x') =>
  writeFileSync(Buffer.concat([Buffer.from(`${folder}/`), name]), bytes)

it('ingest X8: a file of a folder that is submitted', async () => {
  const folder = testFolder()
  const rows = () =>
    all(
      folderRows(
        pathToFileURL(`${folder}/`).href,
        {
          folders: undefined,
          announced: async () => undefined,
          fetcher: {
            list: () => {
              throw new Error('no bucket')
            },
          },
        },
        hold,
      ),
    )
  writeFileSync(join(folder, '\uFFFD.txt'), 'x')
  expect((await rows()).map(({ path }) => path)).toEqual(['\uFFFD.txt'])
  mkdirSync(join(folder, 'a'))
  writeNamed(join(folder, 'a'), latin1('é.txt'))
  await expect(rows()).rejects.toThrow('the name "a/é.txt" (its bytes read as Latin-1) is no UTF-8')
})

it('ingest X4: a manifest', async () => {
  const text = `#%checkm_0.7\n#%profile | mrt-ingest-manifest\nhttp://h/a | | | | | é.txt\n#%eof\n`
  const read = async () => all((await readMerrittManifest(chunks(latin1(text)), ['object'])).rows)
  await expect(read()).rejects.toThrow('line 3 is too long, or no UTF-8')
})

it.each(['mrt-erc.txt', 'mrt-delete.txt', 'mrt-dc.xml'])('the titles, ids and names in %s', async (name) => {
  const folder = testFolder()
  const said = name.endsWith('xml')
    ? '<dc xmlns="http://purl.org/dc/elements/1.1/"><title>Léa</title></dc>'
    : 'what: Léa\nwhere: é-1\n'
  const words = (bytes: Buffer) => {
    writeFileSync(join(folder, name), bytes)
    return readProducerWords(folder, [{ path: `producer/${name}`, size: 10, sha256: '' }], defaultProfile)
  }
  await expect(words(latin1(said))).rejects.toThrow(new RegExp(`^${name} is no `))
  await expect(words(Buffer.from(said))).resolves.toBeDefined()
})

it('indexing W2: an archive file of a folder, and a line of a list', async () => {
  const client = createHttpClient({ stallMillis: 60_000 })
  onTestFinished(() => client.close())
  const listed = (location: string) => all(listSource(location, { client, signal: hold.signal, openContent }))
  const folder = testFolder()
  writeNamed(folder, latin1('é.warc'))
  writeFileSync(join(folder, 'whole.warc'), 'x')
  expect(await listed(folder)).toMatchObject([
    { kind: 'skipped', what: join(folder, 'é.warc'), reason: expect.stringContaining('no UTF-8; rename it') },
    { kind: 'file', name: 'whole.warc' },
  ])
  const list = join(testFolder(), 'list.txt')
  writeFileSync(list, latin1('/data/a.warc\r\n/data/é.warc\n'))
  expect(await listed(list)).toMatchObject([
    { kind: 'file', name: 'a.warc' },
    { kind: 'skipped', what: 'line 2', reason: 'is too long, or no UTF-8' },
  ])
})

it('a capture: its bytes are in its line, percent-encoded', async () => {
  const read = await useReader().readBytes(warcRecord({ url: 'http://example.com/\xe9' }))
  expect(read).toMatchObject({ captures: [{ url: 'http://example.com/%E9' }] })
})

it('a line of the index that is posted', async () => {
  const bytes = latin1('com,example)/ 20260131120000 http://example.com/é text/html 200 - - - 10 0 a.warc\n')
  const { batches } = receiveLines(chunks(bytes), { skipsBad: false })
  await expect(all(batches)).rejects.toThrow('it is not UTF-8')
})

it('any message', () => {
  expect(parseJson(latin1('{"item":"é"}'))).toMatchObject(E.left({ reason: 'not-utf8' }))
  expect(parseJson('{"item":"\\ud800"}')).toMatchObject(E.left({ reason: 'wrong-shape' }))
})
