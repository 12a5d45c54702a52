import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { writeContent } from '../archive.ts'
import { linesOf, startServer, stop, until, useFolder } from '../run-fonds.ts'
import { ask, run } from '../run-here.ts'

/* What is known of an object and of its files, by the command line. */

const hash = (algorithm: string, text: string) => createHash(algorithm).update(text).digest('hex')
const checkm = (...rows: readonly string[]) => ['#%checkm_0.7', ...rows, '#%eof\n'].join('\n')
const dublinCore = (title: string) =>
  `<metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>${title}</dc:title><dc:identifier>box-7</dc:identifier></metadata>`

describe('fonds ingest submit --wait', () => {
  it('stores a folder as its manifest lists it, with what its files say and a program finds', async () => {
    const { folder, ...given } = useFolder()
    const tool = join(folder, 'tool.mjs')
    writeFileSync(tool, `console.log('{"mimeType": "text/x-letter", "puid": "x-fmt/111"}')`)
    const env = { FONDS_INGEST_CHARACTERISE: `"${process.execPath}" "${tool}"` }
    writeContent(given.root, 'box/a b.txt', 'Dear all')
    writeContent(given.root, 'box/mrt-dc.xml', dublinCore('Letters'))
    const listed = `a%20b.txt | md5 | ${hash('md5', 'Dear all')} | 8 | 2026-01-31 | text/plain`
    writeContent(given.root, 'box/mrt-manifest.txt', checkm(listed, 'mrt-dc.xml'))
    const [job] = await ask(['ingest', 'submit', join(given.root, 'box'), '--wait'], { ...given, env })
    expect(job).toMatchObject({ state: 'completed', title: 'Letters', localIds: ['box-7'] })

    const [object] = await ask(['ingest', 'object', 'box-7'], given)
    const format = { mimeType: 'text/x-letter', registry: 'pronom', id: 'x-fmt/111' }
    const declared = {
      mimeType: 'text/plain',
      lastModified: '2026-01-31',
      digests: { md5: hash('md5', 'Dear all') },
    }
    expect(object.listedFiles).toEqual(
      expect.arrayContaining([
        {
          path: 'producer/a b.txt',
          size: 8,
          sha256: hash('sha256', 'Dear all'),
          mimeType: 'text/x-letter',
          declared,
          format,
        },
        expect.objectContaining({ path: 'system/mrt-characterisation.ndjson', declared: null, format: null }),
      ]),
    )
  })

  it('ends with 1 where a manifest, a description or a program says no, and says which and why', async () => {
    const { folder, ...given } = useFolder()
    const box = (name: string, ...files: readonly (readonly [string, string])[]) => {
      for (const [path, text] of [['a.txt', 'A'] as const, ...files])
        writeContent(given.root, `${name}/${path}`, text)
      return join(given.root, name)
    }
    const submit = async (path: string, env = {}) => {
      const ran = await run(['ingest', 'submit', path, '--wait'], { ...given, env })
      expect(ran.code, ran.stderr).toBe(1)
      return linesOf(ran)[0].message
    }
    const listed = box('listed', ['mrt-manifest.txt', checkm('a.txt', 'b.txt')])
    expect(await submit(listed)).toContain('b.txt is listed in mrt-manifest.txt, and is not there')
    const laughing = box('laughing', ['mrt-dc.xml', `<!DOCTYPE a>${dublinCore('A')}`])
    expect(await submit(laughing)).toContain('mrt-dc.xml has a document type')
    const env = { FONDS_INGEST_CHARACTERISE: `"${process.execPath}" -e "process.exit(9)" --` }
    expect(await submit(box('plain'), env)).toContain('producer/a.txt could not be characterised')

    const wrong = await run(['ingest', 'jobs'], { ...given, env: { FONDS_INGEST_CHARACTERISE: 'sf "-json' } })
    expect(wrong.code).toBe(2)
    expect(wrong.stderr).toContain('FONDS_INGEST_CHARACTERISE')
  })
})

it('another system learns of each file of a stored version on the topic of events', async () => {
  const given = useFolder()
  // More than one event takes: their names are long.
  const folders = Array.from({ length: 4 }, (_, i) => String(i).repeat(220)).join('/')
  const texts = new Map(Array.from({ length: 500 }, (_, i) => [`${folders}/${i}.txt`, `letter ${i}`]))
  for (const [name, text] of texts) writeContent(given.root, `box/${name}`, text)
  const row = (name: string, text: string) => `${name} | md5 | ${hash('md5', text)}`
  const rows = [...texts].map(([name, text]) => row(name, text))
  writeContent(given.root, 'box/mrt-manifest.txt', checkm(...rows))
  await ask(['ingest', 'submit', join(given.root, 'box'), '--wait'], given)
  const server = await startServer(given, ['--roles', 'relay,api'])
  // What it hears, and nothing else.
  const heard = await until('the version is told of', async () => {
    const records = await ask(['consume', 'fonds.ingest.events', '--limit', '10000'], given)
    const ofObjects = records.filter(({ key }) => key.startsWith('ingestObject-'))
    return ofObjects.some(({ headers }) => headers.ce_type === 'VersionStored') && ofObjects
  })
  const of = (type: string) => heard.filter(({ headers }) => headers.ce_type === type)
  const [stored] = of('VersionStored')
  const { job, fence, listed, files, bytes, object } = stored.value
  const pages = of('FilesListed').filter(({ value }) => value.job === job && value.fence === fence)
  const all = [...pages.flatMap(({ value }) => value.files), ...listed]
  expect(pages.map(({ key }) => key)).toEqual(pages.map(() => stored.key))
  expect(pages.length).toBeGreaterThan(0)
  expect(all).toHaveLength(files)
  expect(all.reduce((sum, { size }) => sum + size, 0)).toBe(bytes)
  expect(object).toMatchObject({ collection: 'default', mode: 'add' })
  const known = new Map(all.map((file) => [file.path, file]))
  for (const [name, text] of texts)
    expect(known.get(`producer/${name}`)).toEqual({
      path: `producer/${name}`,
      size: Buffer.byteLength(text),
      sha256: hash('sha256', text),
      declared: { digests: { md5: hash('md5', text) } },
    })
  expect(await stop(server)).toBe(0)
})
