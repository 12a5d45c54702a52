import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { sentBody, sentHeads } from '../../../packages/warc/test/http-heads.ts'
import { packed, warcRecord } from '../../../packages/warc/test/make-warc.ts'
import { server } from '../servers.ts'

/* The table of heads that servers really sent says what cdxj-indexer and jwarc make of each: they are asked. */

const indexer = server('cdxj-indexer')
const jar = server('jwarc')
const isAbsent = 'absent' in indexer || 'absent' in jar

const linesOf = (program: string, args: readonly string[]): readonly string[] =>
  spawnSync(program, args, { encoding: 'utf8', maxBuffer: 2 ** 28 })
    .stdout.split('\n')
    .filter(Boolean)

/** By the number of the record. */
type Readings = ReadonlyMap<number, string>

const url = (record: number) => `http://example.com/${record}`
const numberOf = (url: string): number => Number(url.slice(url.lastIndexOf('/') + 1))

const byCdxjIndexer = (path: string): Readings =>
  new Map(
    linesOf(join('address' in indexer ? dirname(indexer.address) : '', 'cdxj-indexer'), [path]).map(
      (text) => {
        const { url, status, mime } = JSON.parse(text.slice(text.indexOf('{')))
        return [numberOf(url), `${status || '-'} ${mime || '-'}`]
      },
    ),
  )

const byJwarc = (path: string): Readings =>
  new Map(
    linesOf('java', ['-jar', 'address' in jar ? jar.address : '', 'cdx', '--no-header', path])
      .map((text) => text.split(' '))
      .map(([, , url = '', mime, status]) => [numberOf(url), `${status || '-'} ${mime || '-'}`]),
  )

describe.skipIf(isAbsent)('heads that servers really sent', () => {
  it('are read by cdxj-indexer 1.5.0 and jwarc 0.36.0 as the table says', () => {
    const folder = mkdtempSync(join(tmpdir(), 'fonds-heads-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const path = join(folder, 'heads.warc.gz')
    const records = sentHeads.map(({ head }, i) =>
      warcRecord({ url: url(i), block: Buffer.from(head + sentBody, 'latin1') }),
    )
    writeFileSync(path, packed(...records))
    const [cdxjIndexer, jwarc] = [byCdxjIndexer(path), byJwarc(path)]
    const seen = sentHeads.map(({ name }, i) => ({
      name,
      cdxjIndexer: cdxjIndexer.get(i) ?? 'refused',
      jwarc: jwarc.get(i) ?? 'refused',
    }))
    expect(seen).toEqual(
      sentHeads.map(({ name, ours, cdxjIndexer = ours, jwarc = ours }) => ({ name, cdxjIndexer, jwarc })),
    )
  })
})
