import { mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Line, startServer, until, useFolder } from '../../e2e/run-fonds.ts'
import { browserIsAbsent, startBrowser } from './browser.ts'
import { indexByPywb, pywbIsAbsent, samples, startPywb } from './pywb.ts'

/* pywb replays from Fonds what it replays from an index of its own: the same answers, bytes, dates, and lists of captures. */

const names = [
  'bad.arc',
  'dupes.warc.gz',
  'example-wget-1-14.warc.gz',
  'example-wpull.warc.gz',
  'example.arc',
  'example.arc.gz',
  'example2.warc.gz',
  'httpbin-resource.warc.gz',
  'iana.warc.gz',
  'post-test.warc.gz',
]

/** Fonds and pywb, and the captures of pywb's own index. */
const startBoth = async () => {
  const { folder, home } = useFolder()
  const archives = join(folder, 'archives')
  mkdirSync(archives)
  for (const name of names) symlinkSync(join(samples, name), join(archives, name))
  const own = join(folder, 'own.cdxj')
  indexByPywb(
    own,
    names.map((name) => join(archives, name)),
  )
  const env = { FONDS_INDEXING_SOURCES: `main=${archives}`, FONDS_INDEXING_GRACE_SECONDS: '1' }
  const fonds = await startServer({ home, env })
  await until('all files are indexed', async () => {
    const answer = await fetch(`${fonds.address}/api/v1/indexing/report`)
    const { report } = (await answer.json()) as Line
    return report.length === 1 && report[0].state === 'indexed' && report[0].files === names.length
  })
  const warc = `${fonds.address}/warc/`
  const pywb = await startPywb({
    own: { index_paths: own, archive_paths: `${archives}/` },
    records: { index_paths: own, archive_paths: warc },
  })
  return { pywb, captures: readCaptures(own) }
}

const readCaptures = (path: string): readonly { readonly time: string; readonly url: string }[] =>
  readFileSync(path, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => {
      const [key = '', time = ''] = line.split(' ', 2)
      return { time, url: JSON.parse(line.slice(key.length + time.length + 2)).url }
    })

describe.skipIf(pywbIsAbsent)('pywb', () => {
  it('replays what Fonds serves as it does what it indexed itself', async () => {
    const { pywb, captures } = await startBoth()
    const statuses = new Set<number>()
    for (const collection of ['records'])
      for (const { time, url } of captures)
        for (const path of [`${time}id_/${url}`, `timemap/link/${url}`]) {
          const wanted = await pywb.replay('own', path)
          expect(await pywb.replay(collection, path), `${collection} ${path}`).toEqual(wanted)
          statuses.add(wanted.status)
        }
    // A redirect to the exact time, a page, and one that pywb itself cannot read.
    expect([...statuses].sort()).toEqual([200, 302, 307, 500])
  })

  it.skipIf(browserIsAbsent)('shows a page in a browser, with its styles, scripts and pictures', async () => {
    const { pywb } = await startBoth()
    const { open } = await startBrowser()
    const page = `${pywb.address}/records/20140126200624/http://www.iana.org/`
    // While the first requests of its life come side by side, pywb now and then answers without a body.
    await open(page, 'new Promise((resolve) => setTimeout(resolve, 500))')
    const { value, statuses } = await open(
      page,
      `(async () => {
        // A script of pywb's opens the frame.
        const isLoaded = () => {
          const { document, location } = window.replay_iframe?.contentWindow ?? {}
          return location?.href.includes('_/http') && document.readyState === 'complete'
        }
        while (!isLoaded()) await new Promise((resolve) => setTimeout(resolve, 20))
        const { document, jQuery } = window.replay_iframe.contentWindow
        await document.fonts.ready
        await Promise.all([...document.images].map((image) => image.decode()))
        return {
          title: document.title,
          pictures: [...document.images].map((image) => image.naturalWidth > 0),
          fonts: [...document.fonts].filter(({ status }) => status === 'loaded').map(({ family }) => family),
          jQuery: typeof jQuery,
        }
      })()`,
    )
    expect(value).toEqual({
      title: 'Internet Assigned Numbers Authority',
      pictures: [true],
      fonts: ['Open Sans', 'Open Sans'],
      jQuery: 'function',
    })
    const archived = statuses.filter(([url]) => url.includes('_/http://www.iana.org/'))
    expect(archived.filter(([, status]) => status !== 200)).toEqual([])
    const names = archived.map(([url]) => url.slice(url.lastIndexOf('/') + 1))
    expect(names).toEqual(
      expect.arrayContaining(['screen.css', 'jquery.js', 'iana-logo-homepage.png', 'OpenSans-Bold.ttf']),
    )
  })
})
