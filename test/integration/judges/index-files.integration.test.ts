import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openCaptureIndex } from '../../../infra/capture-index/capture-index.ts'
import { useFolder } from '../../e2e/run-fonds.ts'
import { indexByPywb, pywbIsAbsent, samples, startPywb } from './pywb.ts'

/* What docs/indexing.md says of replay that reads index files: what pywb does with one that is absent, empty or cut. */

const setUp = async () => {
  const { folder } = useFolder()
  const path = (name: string) => join(folder, name)
  const full = path('full.cdxj')
  indexByPywb(full, [join(samples, 'iana.warc.gz')])
  indexByPywb(path('other.cdxj'), [join(samples, 'example-wget-1-14.warc.gz')])
  const bytes = readFileSync(full)
  const secondLine = bytes.indexOf('\n') + 1
  writeFileSync(path('empty.cdxj'), '')
  writeFileSync(path('cut.cdxj'), bytes.subarray(0, secondLine + 100))

  const alone = (name: string) => ({ index_paths: path(name), archive_paths: `${samples}/` })
  const group = (...names: string[]) => ({
    index_group: Object.fromEntries(names.map((name, i) => [`slot${i}`, path(name)])),
    archive_paths: `${samples}/`,
  })
  const pywb = await startPywb({
    absent: alone('absent.cdxj'),
    empty: alone('empty.cdxj'),
    cut: alone('cut.cdxj'),
    list: { ...alone(''), index_paths: [full, path('other.cdxj')] },
    group: group('absent.cdxj', 'empty.cdxj', 'other.cdxj', 'full.cdxj'),
    twice: group('full.cdxj', 'copy.cdxj'),
    sequence: { sequence: ['other.cdxj', 'full.cdxj'].map((name) => ({ ...alone(name), name })) },
  })
  const iana = 'url=http://www.iana.org/'
  /** How many lines its CDX server gives, or the status of an answer that is none. */
  const lines = async (collection: string, query = iana): Promise<number | string> => {
    const answer = await fetch(`${pywb.address}/${collection}/cdx?${query}&output=json`)
    const text = await answer.text()
    return answer.ok ? text.split('\n').filter((line) => line.startsWith('{')).length : `${answer.status}`
  }
  const put = (name: string, content: Uint8Array | string) => {
    writeFileSync(path('draft'), content)
    renameSync(path('draft'), path(name))
  }
  return { path, bytes, pywb, lines, put }
}

it.skipIf(pywbIsAbsent)(
  'indexing W28, W31 and W32: pywb reads index files by name for each request, absent and empty ones without harm',
  async () => {
    const { path, bytes, pywb, lines, put } = await setUp()
    expect(await lines('absent')).toBe(0)
    expect(await lines('empty')).toBe(0)
    expect(await lines('group')).toBe(1)
    expect(await lines('group', 'url=http://example.com/')).toBe(1)

    // The lines before the cut are found; what comes to the cut one fails.
    expect(await lines('cut')).toBe(1)
    expect(await lines('cut', 'url=http://www.iana.org/&matchType=prefix')).toBe('500')

    // What is named is looked for anew each time.
    put('absent.cdxj', bytes)
    expect(await lines('absent')).toBe(1)
    put('absent.cdxj', '')
    expect(await lines('absent')).toBe(0)
    rmSync(path('absent.cdxj'))
    expect(await lines('absent')).toBe(0)

    // While a line is in two files, it is shown twice.
    expect(await lines('twice')).toBe(1)
    put('copy.cdxj', bytes)
    expect(await lines('twice')).toBe(2)

    // A list finds nothing, and of a sequence the first alone is listed, though all are replayed.
    expect(await lines('list')).toBe(0)
    expect(await lines('sequence', 'url=http://example.com/')).toBe(1)
    expect(await lines('sequence')).toBe(0)
    expect(await pywb.replay('sequence', '2014mp_/http://www.iana.org/')).toMatchObject({ status: 200 })
  },
)

it.skipIf(pywbIsAbsent)('pywb finds in a ZipNum cluster what it finds in the lines', async () => {
  const { folder } = useFolder()
  const [lines, cluster] = [join(folder, 'lines.cdxj'), join(folder, 'zipnum')]
  indexByPywb(lines, [join(samples, 'iana.warc.gz')])
  const index = openCaptureIndex(join(folder, 'runs'))
  const run = await index.write([readFileSync(lines)])
  await index.change([{ kind: 'publish', file: 'main/iana.warc.gz', run, position: 1n }])
  // pywb answers with at most ten blocks.
  expect(await index.exportZipNum(cluster, 'index', { linesPerBlock: 20 })).toMatchObject({
    lines: run.lines,
  })
  await index.close()
  const archive_paths = `${samples}/`
  const pywb = await startPywb({
    lines: { index_paths: lines, archive_paths },
    zipnum: { index_paths: cluster, archive_paths },
  })
  for (const query of [
    'url=http://www.iana.org/',
    'url=iana.org&matchType=domain',
    'url=http://www.iana.org/_css/*',
  ]) {
    const wanted = await pywb.cdx('lines', `${query}&output=json`)
    const texts = (text: string) =>
      text
        .split('\n')
        .filter(Boolean)
        .map((line) => {
          const { source: _, 'source-coll': __, ...rest } = JSON.parse(line)
          return rest
        })
    expect(texts(wanted).length).toBeGreaterThan(0)
    expect(texts(await pywb.cdx('zipnum', `${query}&output=json`))).toEqual(texts(wanted))
  }
})
