import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import {
  arcRecord,
  arcVersion,
  chunked,
  httpResponse,
  packed,
  sha1Of,
  warcinfo,
  warcRecord,
} from '../../../packages/warc/test/make-warc.ts'
import { readPath } from '../../workers/indexing/read-bytes.ts'
import { server } from '../servers.ts'

/* WARC and ARC files, read by us and by programs that are not ours: cdxj-indexer (on warcio), FastWARC and jwarc. */

const indexer = server('cdxj-indexer')
const jar = server('jwarc')
const isAbsent = 'absent' in indexer || 'absent' in jar
const bin = 'address' in indexer ? dirname(indexer.address) : ''
const samples = join(bin, '../samples')

interface Line {
  readonly offset: number
  readonly url: string
  /** Undefined where the judge says nothing of it. */
  readonly status?: string
  readonly digest?: string
}

const linesOf = (program: string, args: readonly string[]): readonly string[] => {
  const { stdout } = spawnSync(program, args, { encoding: 'utf8', maxBuffer: 2 ** 28 })
  return stdout.split('\n').filter(Boolean)
}

const known = (value: string | undefined): string | undefined =>
  value === undefined || value === '-' || value === 'None' ? undefined : value.replace(/^sha1:/, '')

const line = (offset: string, url: string, status?: string, digest?: string): Line => {
  const says = { status: known(status), digest: known(digest) }
  return {
    offset: Number(offset),
    url,
    ...(says.status && { status: says.status }),
    ...(says.digest && { digest: says.digest }),
  }
}

type Judge = (path: string) => readonly Line[]

const judges: Readonly<Record<string, Judge>> = {
  'cdxj-indexer': (path) =>
    linesOf(join(bin, 'cdxj-indexer'), [path]).map((text) => {
      const { offset, url, status, digest } = JSON.parse(text.slice(text.indexOf('{')))
      return line(offset, url, status, digest)
    }),
  FastWARC: (path) => {
    const fields = 'offset,warc-type,warc-target-uri,warc-payload-digest,http:status,content-type'
    return linesOf(join(bin, 'fastwarc'), ['index', '-f', fields, path])
      .filter((text) => text.startsWith('{'))
      .map((text) => JSON.parse(text))
      .filter((record) => ['response', 'revisit', 'resource'].includes(record['warc-type']))
      .map((record) =>
        line(record.offset, record['warc-target-uri'], record['http:status'], record['warc-payload-digest']),
      )
  },
  jwarc: (path) =>
    linesOf('java', ['-jar', 'address' in jar ? jar.address : '', 'cdx', path])
      .map((text) => text.split(' '))
      .filter((fields) => fields[0] !== '' && fields.length === 11)
      .map(([, , url = '', , status, digest, , , , offset = '']) => line(offset, url, status, digest)),
}

/** What differs of a file, a sentence each. */
const differences = async (path: string): Promise<readonly string[]> => {
  const name = basename(path)
  const reading = await readPath(path, { name, kind: 'content' })
  if (!('captures' in reading)) return [`${name}: refused as ${reading.code}`]
  return Object.entries(judges).flatMap(([judge, read]) => {
    const theirs = new Map(read(path).map((line) => [line.offset, line]))
    const said = reading.captures.flatMap((ours) => {
      const line = theirs.get(ours.offset)
      theirs.delete(ours.offset)
      if (!line) return [`${name}: ${judge} has no line at ${ours.offset}`]
      return Object.entries(line).flatMap(([field, value]) =>
        ours[field as keyof Line] === value
          ? []
          : [`${name}: ${judge} has another ${field} at ${ours.offset}`],
      )
    })
    return [...said, ...[...theirs.keys()].map((offset) => `${name}: ${judge} has a line at ${offset}`)]
  })
}

/** Each difference, and who is right. */
const explained: readonly { readonly difference: RegExp; readonly why: string }[] = [
  {
    difference: /^(made|example|bad)\.arc(\.gz)?: FastWARC has no line/,
    why: 'FastWARC does not read ARC',
  },
  {
    difference: /^bad\.arc: jwarc has no line/,
    why: 'jwarc reads no ARC record without a length; the records of a file whose lengths are not known can be reached all the same',
  },
  {
    difference: /^bad\.arc: cdxj-indexer has another digest at 202/,
    why: 'we: the payload is one byte long, a line feed; warcio takes it for the empty line of an HTTP head, though there is none',
  },
  {
    difference: /^example\.arc: jwarc has (a line at 150|no line at 151)$/,
    why: 'we and cdxj-indexer: the empty line belongs to the record before',
  },
  {
    difference: /^made\.arc(\.gz)?: jwarc has no line at (253|263)$/,
    why: 'we and cdxj-indexer: a name of DNS was harvested, too',
  },
  {
    difference: /jwarc has another status/,
    why: 'we and cdxj-indexer: a resource is no response, and has no status; jwarc says 200',
  },
  {
    difference: /^made\.warc(\.gz)?: cdxj-indexer has another digest/,
    why: 'we: the transfer coding is no part of the payload (WARC 1.1 §5.9); warcio digests the chunks as they are',
  },
  {
    difference: /^example2\.warc\.gz: (FastWARC|cdxj-indexer) has another digest at 363$/,
    why: 'we and jwarc: the field has the digest in hex, an index has it in base 32, so that the same content is found again',
  },
  {
    difference: /^example-bad\.warc\.gz\.bad: refused as not-per-record$/,
    why: 'we, and cdxj-indexer, which raises an error: its records are in one gzip member, and none can be reached',
  },
  {
    difference: /^example\.warc: refused as corrupt$/,
    why: 'we and `jwarc validate`: the Content-Length of the record at 4061 is five bytes too small',
  },
  {
    difference: /^example-extra\.warc: jwarc has no line at (3207|5910)$/,
    why: 'we and cdxj-indexer: a status line begins with HTTPX; and jwarc ends at the one line end behind the last record, before it gives its line',
  },
  {
    difference:
      /^example-url-agnostic-(orig|revisit)\.warc\.gz: jwarc has (no line at 35\d|a line at (1354|946))$/,
    why: 'we and cdxj-indexer: the first record lacks its empty lines and its member is whole; jwarc gives the end of the file as the place of the next',
  },
  {
    difference: /^missing-status-text\.warc: refused as corrupt$/,
    why: 'we and `jwarc validate`: its lines end with two CR, and its end is missing; each kind of status line is among those we make',
  },
]
const isExplained = (difference: string) => explained.some(({ difference: one }) => one.test(difference))

const makeFiles = (): readonly string[] => {
  const folder = mkdtempSync(join(tmpdir(), 'fonds-archives-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const body = chunked('first ', 'second')
  const digest = { 'WARC-Payload-Digest': `sha1:${sha1Of('first second')}` }
  const warc = [
    warcinfo(),
    warcRecord({ url: 'http://example.com/1' }),
    warcRecord({
      url: 'http://example.com/2',
      block: httpResponse({ fields: { 'Transfer-Encoding': 'chunked' }, body }),
    }),
    warcRecord({ type: 'request', block: 'GET / HTTP/1.1\r\n\r\n' }),
    warcRecord({ type: 'revisit', block: 'HTTP/1.1 304 Not Modified\r\n\r\n', fields: digest }),
    warcRecord({ type: 'resource', contentType: 'text/plain', block: 'text' }),
    warcRecord({ url: 'http://example.com/3', block: httpResponse({ status: 'HTTP/1.0 302 ', body: '' }) }),
    warcRecord({
      url: 'http://example.com/4',
      fields: digest,
      block: httpResponse({ body: 'first second' }),
    }),
  ]
  const arc = [
    arcVersion(),
    arcRecord(),
    arcRecord({ url: 'dns:example.com', mime: 'text/dns', block: '192.0.2.1\n' }),
  ]
  const files = {
    'made.warc': Buffer.concat(warc),
    'made.warc.gz': packed(...warc),
    'made.arc': Buffer.concat(arc),
    'made.arc.gz': packed(...arc),
  }
  return Object.entries(files).map(([name, bytes]) => {
    writeFileSync(join(folder, name), bytes)
    return join(folder, name)
  })
}

describe.skipIf(isAbsent)('WARC and ARC files', () => {
  it('have the same captures to us and to programs that are not ours, but for what is explained', async () => {
    const paths = [...readdirSync(samples).map((name) => join(samples, name)), ...makeFiles()]
    const found = []
    for (const path of paths.sort()) found.push(...(await differences(path)))
    expect(found.filter((difference) => !isExplained(difference))).toEqual([])
    // A judge that learned better is taken off the list.
    for (const { difference, why } of explained)
      expect(found, why).toContainEqual(expect.stringMatching(difference))
    expect(paths.length).toBeGreaterThan(18)
  })
})
