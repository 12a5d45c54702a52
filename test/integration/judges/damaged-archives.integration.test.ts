import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it, onTestFinished } from 'vitest'
import {
  arcRecord,
  arcVersion,
  httpResponse,
  packed,
  sha1Of,
  warcinfo,
  warcRecord,
} from '../../../packages/warc/test/make-warc.ts'
import { readPath } from '../../workers/indexing/read-bytes.ts'
import { server } from '../servers.ts'

/* Whole and damaged archive files, as we and three programs that are not ours take or refuse them: jwarc, JHOVE and FastWARC. */

const [fastwarc, jwarc, jhove] = [server('fastwarc'), server('jwarc'), server('jhove')]
const isAbsent = [fastwarc, jwarc, jhove].some((judge) => 'absent' in judge)
const pathOf = (judge: typeof jwarc) => ('address' in judge ? judge.address : '')

const body = '<p>a page</p>'
const digests = {
  'WARC-Block-Digest': `sha1:${sha1Of(httpResponse({ body }))}`,
  'WARC-Payload-Digest': `sha1:${sha1Of(body)}`,
}
const page = (n: number, more: Parameters<typeof warcRecord>[0] = {}) =>
  warcRecord({ url: `http://example.com/${n}`, block: httpResponse({ body }), fields: digests, ...more })
const length = httpResponse({ body }).length
const records = [warcinfo(), page(1), page(2)]
const plain = Buffer.concat(records)
const gz = packed(...records)
const flipped = (bytes: Buffer, place: number) => {
  const damaged = Buffer.from(bytes)
  damaged[place]! ^= 1
  return damaged
}
const lying = (by: number) =>
  Buffer.concat([
    warcinfo(),
    page(1, { fields: { ...digests, 'Content-Length': `${length + by}` } }),
    page(2),
  ])
const arc = [arcVersion(), arcRecord(), arcRecord({ url: 'http://example.com/2' })]

const files: Readonly<Record<string, Buffer | string>> = {
  'clean.warc': plain,
  'clean.warc.gz': gz,
  'flipped.warc': flipped(plain, plain.lastIndexOf(body) + 4),
  'flipped.warc.gz': flipped(gz, gz.length - 60),
  'crc.warc.gz': flipped(gz, gz.length - 6),
  'short.warc': lying(-7),
  'long.warc': lying(7),
  'cut.warc': plain.subarray(0, -20),
  'cut.warc.gz': gz.subarray(0, -20),
  'one-member.warc.gz': gzipSync(plain),
  'page.warc': '<html>503 Service Unavailable</html>',
  'lf.warc': Buffer.concat([warcinfo(), page(1, { lineEnd: '\n' }), page(2)]),
  'brackets.warc': Buffer.concat([warcinfo(), page(1, { url: '<http://example.com/1>' }), page(2)]),
  'empty.warc': '',
  'clean.arc': Buffer.concat(arc),
  'cut.arc.gz': packed(...arc).subarray(0, -20),
}

const verdicts: Readonly<Record<string, (path: string) => string>> = {
  jwarc: (path) =>
    spawnSync('java', ['-jar', pathOf(jwarc), 'validate', path]).status === 0 ? 'takes' : 'refuses',
  FastWARC: (path) => (spawnSync(pathOf(fastwarc), ['check', '-p', path]).status === 0 ? 'takes' : 'refuses'),
}

const byJhove = (folder: string, paths: readonly string[]): ReadonlyMap<string, string> => {
  const config = join(folder, 'jhove.conf')
  const modules = ['WarcModule', 'GzipModule'].map(
    (name) => `<module><class>edu.harvard.hul.ois.jhove.module.${name}</class></module>`,
  )
  writeFileSync(
    config,
    `<?xml version="1.0"?><jhoveConfig version="1.0"><jhoveHome>${folder}</jhoveHome><defaultEncoding>utf-8</defaultEncoding>${modules.join('')}</jhoveConfig>`,
  )
  const jars = ['jhove-apps', 'jhove-ext-modules']
    .map((name) => join(dirname(pathOf(jhove)), `${name}.jar`))
    .join(':')
  const said = new Map<string, string>()
  for (const [module, some] of Object.entries(
    Object.groupBy(paths, (path) => (path.endsWith('.gz') ? 'GZIP-kb' : 'WARC-kb')),
  )) {
    const { stdout } = spawnSync(
      'java',
      ['-cp', jars, 'edu.harvard.hul.ois.jhove.Jhove', '-c', config, '-m', module, ...(some ?? [])],
      { encoding: 'utf8', maxBuffer: 2 ** 28 },
    )
    for (const [, path = '', status = ''] of stdout.matchAll(
      /^ ?RepresentationInformation: (.*)$[\s\S]*?^ *Status: (.*)$/gm,
    ))
      said.set(path, status === 'Well-Formed and valid' ? 'takes' : 'refuses')
  }
  return said
}

const mapValues = <A, B>(all: Readonly<Record<string, A>>, to: (one: A) => B): Readonly<Record<string, B>> =>
  Object.fromEntries(Object.entries(all).map(([key, one]) => [key, to(one)]))

const noDigest =
  'we: who makes an index does not digest a payload that has a digest; its place is right, and fixity is for the rest'
const lineFeeds =
  'we: records of old harvesters end their lines so (reference, section 4), and nothing of them is lost'
const oneMember = 'we: none of its records can be reached by an offset'
const noArc = 'we: it is a good ARC file, of which this program knows nothing'

/** Each difference, and who is right. */
const explained: Readonly<Record<string, string>> = {
  'flipped.warc: jwarc refuses it': noDigest,
  'flipped.warc: FastWARC refuses it': noDigest,
  'flipped.warc: JHOVE refuses it': noDigest,
  'crc.warc.gz: jwarc takes it': 'we: the trailer of a gzip member is wrong, which jwarc does not look at',
  'one-member.warc.gz: jwarc takes it': oneMember,
  'one-member.warc.gz: FastWARC takes it': oneMember,
  'one-member.warc.gz: JHOVE takes it': oneMember,
  'lf.warc: jwarc refuses it': lineFeeds,
  'lf.warc: FastWARC refuses it': lineFeeds,
  'lf.warc: JHOVE refuses it': lineFeeds,
  'brackets.warc: JHOVE refuses it':
    'we, jwarc and FastWARC: wget writes addresses so (WARC 1.0 has the brackets, 1.1 has not)',
  'empty.warc: jwarc takes it': 'we and JHOVE: a file without a record is no archive file',
  'empty.warc: FastWARC takes it': 'we and JHOVE: a file without a record is no archive file',
  'clean.arc: jwarc refuses it': 'we: jwarc refuses good ARC files',
  'clean.arc: FastWARC refuses it': noArc,
  'clean.arc: JHOVE refuses it': noArc,
}

describe.skipIf(isAbsent)('whole and damaged archive files', () => {
  it('are taken or refused by us and by programs that are not ours alike, but for what is explained', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'fonds-damaged-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const paths = Object.entries(files).map(([name, bytes]) => {
      writeFileSync(join(folder, name), bytes)
      return join(folder, name)
    })
    const jhoveSaid = byJhove(folder, paths)
    const differences: string[] = []
    for (const path of paths) {
      const name = path.slice(folder.length + 1)
      const reading = await readPath(path, { name, kind: 'content' })
      const ours = 'captures' in reading ? 'takes' : 'refuses'
      const theirs = { ...mapValues(verdicts, (of) => of(path)), JHOVE: jhoveSaid.get(path) }
      for (const [judge, verdict] of Object.entries(theirs))
        if (verdict !== ours) differences.push(`${name}: ${judge} ${verdict} it`)
    }
    expect(differences.toSorted()).toEqual(Object.keys(explained).toSorted())
  })
})
