import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { freePort } from '#infra/local/kafka/free-port.ts'
import { nameOfPart } from '#src/domain/kernel/part-name.ts'
import { httpResponse, packed, sha1Of, warcRecord } from '../../../packages/warc/test/make-warc.ts'
import { type Line, startServer, until, useFolder } from '../../e2e/run-fonds.ts'
import { nginxIsAbsent, useNginx } from '../nginx.ts'
import { browserIsAbsent, startBrowser } from './browser.ts'
import { indexByPywb, pywbIsAbsent, samples, startPywb } from './pywb.ts'

/* pywb replays from Fonds what it replays from an index of its own: the same answers, bytes, dates, and lists of captures. */

const names = [
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

/** Named as files of an object are. */
const object = 'ark:/99999/fk4abc'
const made = nameOfPart({ object, path: 'v1/content/producer/a 100% of ü=~#?&.warc.gz' })
const deep = nameOfPart({ object, path: `v1/content/producer/${'deep/'.repeat(80)}deep.warc.gz` })

/** The revisit of a page that was harvested under another address. */
const repeatedElsewhere = packed(
  warcRecord({ url: 'http://one.example/', block: httpResponse({ body: 'the same page' }) }),
  warcRecord({
    type: 'revisit',
    url: 'http://two.example/',
    date: '2026-02-01T12:00:00Z',
    fields: {
      'WARC-Payload-Digest': `sha1:${sha1Of('the same page')}`,
      'WARC-Refers-To-Target-URI': 'http://one.example/',
      'WARC-Refers-To-Date': '2026-01-31T12:00:00Z',
      'WARC-Profile': 'http://netpreserve.org/warc/1.0/revisit/identical-payload-digest',
    },
    block: 'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n',
  }),
)

/** Fonds with the samples and that one, all of them in its index. */
const startFonds = async (token?: string) => {
  const { folder, home } = useFolder()
  const archives = join(folder, 'archives')
  mkdirSync(archives)
  for (const name of names) symlinkSync(join(samples, name), join(archives, name))
  writeFileSync(join(archives, made), repeatedElsewhere)
  writeFileSync(
    join(archives, deep),
    packed(warcRecord({ url: 'http://deep.example/', block: httpResponse({ body: 'a deep page' }) })),
  )
  const env = { FONDS_INDEXING_SOURCES: `main=${archives}`, FONDS_INDEXING_GRACE_SECONDS: '1' }
  const { address } = await startServer({ home, env: { ...env, ...(token && { FONDS_TOKEN: token }) } })
  const get = (path: string) =>
    fetch(`${address}${path}`, token ? { headers: { authorization: `Bearer ${token}` } } : {})

  const lines = await until('all files are indexed', async () => {
    const { report } = (await (await get('/api/v1/indexing/report')).json()) as Line
    const [all, ...others] = report
    return others.length === 0 && all?.state === 'indexed' && all.files === names.length + 2 && all.lines
  })
  await until('all lines are found', async () => {
    const found = await (await get('/cdx?matchType=range&urlkey=!')).text()
    return found.split('\n').length - 1 === lines
  })
  return { address, archives, own: join(folder, 'own.cdxj') }
}

/** Fonds and pywb, and the captures of pywb's own index. */
const startBoth = async () => {
  const { address, archives, own } = await startFonds()
  indexByPywb(own, [archives])
  const archive_paths = `${address}/warc/`
  const pywb = await startPywb({
    own: { index_paths: own, archive_paths: `${archives}/` },
    cdx: { index: `cdx+${address}/cdx`, archive_paths },
    xml: { index: `xmlquery+${address}/cdx`, archive_paths },
  })
  return { address, pywb, captures: readCaptures(own) }
}

/** The collections that have nothing but Fonds. */
const ofFonds = ['cdx', 'xml']

const readCaptures = (path: string): readonly { readonly time: string; readonly url: string }[] =>
  readFileSync(path, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => {
      const [key = '', time = ''] = line.split(' ', 2)
      return { time, url: JSON.parse(line.slice(key.length + time.length + 2)).url }
    })

describe.skipIf(pywbIsAbsent)('pywb', () => {
  it('replays with Fonds alone what it replays with files of its own', async () => {
    const { pywb, captures } = await startBoth()
    // Of the many captures of one harvest each fourth; of all others each.
    const some = captures.filter(({ url }, n) => n % 4 === 0 || !url.includes('iana.org'))
    const urls = [...new Set(some.map(({ url }) => url))]
    const paths = [
      ...some.map(({ time, url }) => `${time}id_/${url}`),
      // The capture that is closest, and all that there are.
      ...urls.flatMap((url) => [`2014id_/${url}`, `timemap/link/${url}`]),
      // The index has this address without its last parameter.
      '2014id_/http://www.iana.org/_css/2013.1/screen.css?_=123456',
      '2014id_/http://nowhere.example/',
    ]
    const statuses = new Set<number>()
    for (const collection of ofFonds) {
      expect(await pywb.text(collection, '2026id_/http://two.example/')).toBe('the same page')
      expect(await pywb.text(collection, '2026id_/http://deep.example/')).toBe('a deep page')
    }
    for (const path of paths) {
      const wanted = await pywb.replay('own', path)
      statuses.add(wanted.status)
      for (const collection of ofFonds) {
        const { sha256, ...replayed } = await pywb.replay(collection, path)
        expect(replayed, `${collection} ${path}`).toMatchObject({
          status: wanted.status,
          headers: wanted.headers,
        })
        // What pywb says of a miss has the name of the collection.
        if (wanted.status !== 404) expect(sha256, `${collection} ${path}`).toBe(wanted.sha256)
      }
    }
    // A page, a redirect that was harvested, and one to the exact time; and what nobody harvested.
    expect([...statuses].sort()).toEqual([200, 302, 307, 404])
  })

  it('finds the same captures in Fonds as in its own index', async () => {
    const { address, pywb } = await startBoth()
    const found = async (collection: string, query: string) =>
      (await pywb.cdx(collection, `${query}&output=json`))
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line))
        .map(({ urlkey, timestamp, url, length, offset, filename }) =>
          [urlkey, timestamp, url, length, offset, filename].join(' '),
        )
    const queries = {
      'url=http://example.com/': ofFonds,
      'url=http://example.com/&from=2015': ofFonds,
      'url=http://www.iana.org/_css/*': ofFonds,
      'url=iana.org&matchType=domain': ['cdx'],
      'url=http://example.com/&sort=closest&closest=20140127171250&limit=3': ['cdx'],
      'url=http://nowhere.example/': ofFonds,
    }
    const counts = []
    for (const [query, collections] of Object.entries(queries)) {
      const wanted = await found('own', query)
      for (const collection of collections) {
        const lines = await found(collection, query)
        expect(lines, `${collection} ${query}`).toEqual(wanted)
      }
      counts.push(wanted.length)
    }
    expect(counts).toEqual([7, 2, 88, 181, 3, 0])

    // pywb tries this where a record cannot be read.
    expect((await fetch(`${address}/20140126200624id_/http://www.iana.org/`)).status).toBe(404)
    // What was posted it does not say over HTTP: any capture of the address is one.
    for (const collection of ofFonds) {
      const { status } = await pywb.replay(collection, '2014id_/http://httpbin.org/post', {
        method: 'POST',
        body: new URLSearchParams({ foo: 'bar', test: 'abc' }),
      })
      expect(status, collection).toBe(200)
    }
  })

  it.skipIf(browserIsAbsent)('shows a page in a browser, with its styles, scripts and pictures', async () => {
    const { pywb } = await startBoth()
    const { open } = await startBrowser()
    const page = `${pywb.address}/cdx/20140126200624/http://www.iana.org/`
    const looked = `(async () => {
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
      })()`
    // While requests come side by side, pywb now and then sends the head of a picture without its body.
    let shown = await open(page, looked)
    for (let again = 0; again < 5 && JSON.stringify(shown.value) === '{}'; again++)
      shown = await open(page, looked)
    const { value, statuses } = shown
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

  it.skipIf(nginxIsAbsent)('replays through a proxy that adds the token', async () => {
    const token = 'correct horse battery'
    const { address } = await startFonds(token)
    const port = await freePort()
    useNginx(port).start(
      `location / { proxy_pass ${address}; proxy_set_header Authorization "Bearer ${token}"; }`,
    )
    const proxy = `http://127.0.0.1:${port}`
    await until('nginx answers', () =>
      fetch(proxy).then(
        ({ ok }) => ok,
        () => undefined,
      ),
    )
    const pywb = await startPywb({
      proxied: { index: `cdx+${proxy}/cdx`, archive_paths: `${proxy}/warc/` },
      refused: { index: `cdx+${address}/cdx`, archive_paths: `${address}/warc/` },
    })
    expect(await pywb.text('proxied', '2026id_/http://two.example/')).toBe('the same page')
    expect((await pywb.replay('refused', '2026id_/http://two.example/')).status).toBe(404)
  })
})
