import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openCaptureIndex } from '#infra/capture-index/capture-index.ts'
import { startServer, useFolder } from '../../e2e/run-fonds.ts'
import { indexByPywb, pywbIsAbsent, samples, startPywb } from './pywb.ts'

/* pywb's own CDX server and ours are asked the same of the same lines, in its words. */

const names = ['dupes.warc.gz', 'example.arc.gz', 'example2.warc.gz', 'iana.warc.gz', 'post-test.warc.gz']

const startBoth = async () => {
  const { folder, home } = useFolder()
  const own = join(folder, 'own.cdxj')
  indexByPywb(
    own,
    names.map((name) => join(samples, name)),
  )
  const lines = readFileSync(own, 'utf8').replace(/^ CDX.*\n/, '')
  const index = openCaptureIndex(join(home, 'index', 'runs'))
  const run = await index.write([lines])
  await index.change([{ kind: 'publish', file: 'main/all', run, position: 1n }])
  await index.close()
  const fonds = await startServer({ home }, ['--roles', 'api'])
  const pywb = await startPywb({
    own: { index_paths: own, archive_paths: `${samples}/` },
    remote: { index_paths: `cdx+${fonds.address}/cdx`, archive_paths: `${samples}/` },
  })
  return {
    pywb,
    ask: async (query: string) => (await fetch(`${fonds.address}/cdx?dialect=pywb&${query}`)).text(),
  }
}

/** What both have to say of a capture, in their order. */
const captures = (answer: string): readonly string[] =>
  answer
    .split('\n')
    .filter(Boolean)
    .map((line) => {
      const { urlkey, timestamp, url, offset, filename, status = '-' } = JSON.parse(line)
      return [urlkey, timestamp, url, status, offset, filename].join(' ')
    })

const iana = 'url=http://www.iana.org/'

const queries = [
  iana,
  'url=iana.org/_css/2013.1/screen.css',
  'url=http://iana.org/_css/&matchType=prefix',
  'url=http://iana.org/_css&matchType=prefix',
  'url=iana.org/_css/*',
  'url=iana.org/_css*',
  'url=iana.org&matchType=host',
  'url=iana.org&matchType=domain',
  'url=*.iana.org',
  'url=org&matchType=domain',
  `${iana}&limit=1`,
  `${iana}&sort=reverse`,
  `${iana}&reverse=true&limit=2`,
  `${iana}&closest=20140126200718`,
  `${iana}&closest=2013&limit=2`,
  `${iana}&closest=201401&limit=2`,
  `${iana}&closest=20140126&limit=2`,
  `${iana}&closest=2014012620&limit=2`,
  'url=*.iana.org&closest=20140126200718&limit=20',
  'url=*.iana.org&from=20140126200700&to=20140126200720',
  'url=*.iana.org&from=2014&to=2014',
  'url=*.iana.org&to=2013',
  'url=*.iana.org&filter=mime:html',
  'url=*.iana.org&filter=!mime:html',
  'url=*.iana.org&filter==mime:text/html',
  'url=*.iana.org&filter=~url:.*css',
  'url=*.iana.org&filter=!~url:.*(css|png)',
  'url=*.iana.org&filter=~status:20[0-9]&filter=mime:html',
  'url=*.iana.org&filter=200',
  'url=*.iana.org&collapseTime=11',
  'url=*.iana.org&collapseTime=11&sort=reverse&limit=5',
  'url=*.iana.org&collapseTime=10&closest=2014&limit=5',
  'url=http://nowhere.example/',
  'url=http://example.com/&limit=3',
  // pywb guesses at URLs alike (its fuzzy rules) unless it is told not to.
  'url=http://example.com?example=1&allowFuzzy=false',
]

describe.skipIf(pywbIsAbsent)("indexing C3: pywb's dialect, judged by pywb", () => {
  it('finds the same captures in the same order, whatever is asked', async () => {
    const { pywb, ask } = await startBoth()
    const found: Record<string, number> = {}
    for (const query of queries) {
      const theirs = captures(await pywb.cdx('own', `${query}&output=json`))
      expect(captures(await ask(`${query}&output=json`)), query).toEqual(theirs)
      found[query] = theirs.length
    }
    expect(Object.values(found).filter((count) => count > 0).length).toBeGreaterThan(queries.length - 4)
  })

  it("answers pywb's own requests to a remote index, its guesses at URLs alike among them", async () => {
    const { pywb } = await startBoth()
    const time = '20140126200718'
    for (const path of [
      `${time}id_/http://www.iana.org/`,
      `2013id_/http://www.iana.org/`,
      `id_/http://iana.org/domains/root/db`,
      `${time}id_/http://www.iana.org/_css/2013.1/screen.css?_=1234`,
      `${time}id_/http://nowhere.example/`,
      'timemap/link/http://www.iana.org/',
    ])
      expect(await pywb.replay('remote', path), path).toEqual(await pywb.replay('own', path))
  })
})
