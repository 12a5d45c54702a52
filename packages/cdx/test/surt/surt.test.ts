import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runs } from '../../../../test/runs.ts'
import { surt } from '../../src/surt.ts'
import { seen } from './seen.ts'

/** From testdata/surt.json of IIPC's urlcanon (Apache-2.0), "defaultIASurt": facts of the same dialect. */
const defaultIaSurt = [
  ['', '-'],
  ['filedesc:/foo.arc.gz', 'filedesc:/foo.arc.gz'],
  ['filedesc://foo.arc.gz', 'filedesc://foo.arc.gz'],
  ['warcinfo:foo.warc.gz', 'warcinfo:foo.warc.gz'],
  ['dns:alexa.com', 'dns:alexa.com'],
  ['http://www.archive.org/', 'org,archive)/'],
  ['http://archive.org/goo/', 'org,archive)/goo'],
  ['http://archive.org/goo/?', 'org,archive)/goo'],
  ['http://archive.org/goo/?b&a', 'org,archive)/goo?a&b'],
  ['http://archive.org/goo/?a=2&b&a=1', 'org,archive)/goo?a=1&a=2&b'],
  [
    'http://archive.org/index.php?PHPSESSID=0123456789abcdefghijklemopqrstuv&action=profile;u=4221',
    'org,archive)/index.php?action=profile;u=4221',
  ],
  ['whois://whois.isoc.org.il/shaveh.co.il', 'il,org,isoc,whois)/shaveh.co.il'],
  [
    'http://visit.webhosting.yahoo.com/visit.gif?&r=http%3A//web.archive.org/web/20090517140029/http%3A//anthonystewarthead.electric-chi.com/&b=Netscape%205.0%20%28Windows%3B%20en-US%29&s=1366x768&o=Win32&c=24&j=true&v=1.2',
    'com,yahoo,webhosting,visit)/visit.gif?&b=netscape%205.0%20(windows;%20en-us)&c=24&j=true&o=win32&r=http://web.archive.org/web/20090517140029/http://anthonystewarthead.electric-chi.com/&s=1366x768&v=1.2',
  ],
] as const

describe.each(Object.entries(seen))('the key of %s', (_, pairs) => {
  it.each(pairs)('%j is %s', (url, key) => {
    expect(surt(url)).toBe(key)
  })
})

describe('the key', () => {
  it.each(defaultIaSurt)("urlcanon's vector: of %j is %s", (url, key) => {
    expect(surt(url)).toBe(key)
  })

  it.each([
    [' \n', '-', 'blanks alone'],
    ['http://example.com:x/A', 'com:x,example)/a', 'a port that is no number'],
    ['http://example.com:65536/', 'com:65536,example)/', 'a port that is too large'],
    ['http://::1/', '::1)/', 'an IPv6 address without brackets'],
    ['filedesc:A b\u00fc\n', 'filedesc:A%20b%c3%bc%0a', 'what no key may hold, in an ARC file’s own name'],
    ['http://a.b/\ud800', 'b,a)/%ef%bf%bd', 'a lone surrogate'],
  ])('where `surt` has none, or none of one token: of %j is %s (%s)', (url, key) => {
    expect(surt(url)).toBe(key)
  })

  const anyText = fc.array(fc.nat(0xffff), { maxLength: 40 }).map((codes) => String.fromCharCode(...codes))
  const likeUrl = fc
    .tuple(fc.constantFrom('http://', 'https:', 'dns:', 'filedesc:', 'x:', ''), anyText)
    .map((parts) => parts.join(''))
  const marks = fc
    .array(fc.constantFrom(...'%25a/.:?#&=@[](),; \n\0ü\u3002'), { maxLength: 30 })
    .map((characters) => characters.join(''))

  it('is printable ASCII without blanks, of any text', () => {
    fc.assert(
      fc.property(fc.oneof(anyText, likeUrl, marks), (url) => {
        expect(surt(url)).toMatch(/^[\x21-\x7e]+$/)
      }),
      { numRuns: runs(2000) },
    )
  })

  const word = fc.stringMatching(/^[a-z0-9._~!$'()*+,;:@ü日-]{1,8}$/).filter((text) => !/^\.+$/.test(text))
  const page = fc.record({
    host: fc.stringMatching(/^[a-z]{1,8}(\.[a-z]{2,5}){1,3}$/).filter((host) => !host.startsWith('www')),
    path: fc.array(word, { maxLength: 4 }),
    query: fc.array(fc.tuple(fc.stringMatching(/^q[a-z0-9%]{0,3}$/), word), { maxLength: 4 }),
  })
  type Page = typeof page extends fc.Arbitrary<infer P> ? P : never
  const queryOf = ({ query }: Page) =>
    query.length > 0 ? `?${query.map((pair) => pair.join('=')).join('&')}` : ''
  const urlOf = (of: Page) => `http://${of.host}/${of.path.join('/')}${queryOf(of)}`

  it('of a key, written as a URL again, is that key', () => {
    fc.assert(
      fc.property(page, (of) => {
        const key = surt(urlOf(of))
        expect(surt(`http://${of.host}${key.slice(key.indexOf(')') + 1)}`)).toBe(key)
      }),
    )
  })

  it('is the same for every spelling of a URL', () => {
    const escapes = (text: string) =>
      encodeURIComponent(text).replaceAll(/[a-z]/g, (c) => `%${c.charCodeAt(0).toString(16)}`)
    fc.assert(
      fc.property(page, (of) => {
        const path = of.path.map(escapes).join('//./')
        const spelled = [
          `HTTP://u:p@WWW.${of.host.toUpperCase()}.:80/${path}${queryOf({ ...of, query: of.query.toReversed() })}#top`,
          `https://www2.${of.host}:443/${path}/${queryOf(of)}`,
        ]
        expect(spelled.map(surt)).toEqual([surt(urlOf(of)), surt(urlOf(of))])
      }),
    )
  })

  it.each([
    ['escapes of escapes', `http://a.b/%${'25'.repeat(30_000)}41`, 'b,a)/a'],
    ['blanks', `http://a.b/x${' '.repeat(60_000)}y`, `b,a)/x${'%20'.repeat(60_000)}y`],
    ['slashes', `http://a.b/${'/'.repeat(60_000)}y`, 'b,a)/y'],
    ['dots', `http://a${'.'.repeat(65_536)}b`, `b${','.repeat(32_768)}a)/`],
    ['folders taken back', `http://a.b${'/a'.repeat(30_000)}${'/..'.repeat(30_000)}`, 'b,a)/'],
    [
      'parameters',
      `http://a.b/?${'b&a&'.repeat(20_000)}c`,
      `b,a)/?${'a&'.repeat(20_000)}${'b&'.repeat(20_000)}c`,
    ],
    ['half sessions', `http://a.b/?${'cfid='.repeat(20_000)}`, `b,a)/?${'cfid='.repeat(20_000)}`],
  ])('does not suffer from thousands of %s', (_, url, key) => {
    expect(surt(url)).toBe(key)
  })
})
