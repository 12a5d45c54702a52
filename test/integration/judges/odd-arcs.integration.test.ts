import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { oddArcs } from '../../../packages/warc/test/odd-arcs.ts'
import { readPath } from '../../workers/indexing/read-bytes.ts'
import { server } from '../servers.ts'

/*
 * ARC files as they were really written: cdxj-indexer and jwarc, where they read them, have the same captures as we; and cdxj-indexer, which
 * reads as pywb does, finds the record of each of our lines in its bytes alone.
 */

const indexer = server('cdxj-indexer')
const jar = server('jwarc')
const isAbsent = 'absent' in indexer || 'absent' in jar

const linesOf = (program: string, args: readonly string[]): readonly string[] =>
  spawnSync(program, args, { encoding: 'utf8', maxBuffer: 2 ** 28 })
    .stdout.split('\n')
    .filter(Boolean)

interface Found {
  readonly url: string
  readonly status: string
  readonly offset: number
}

const byCdxjIndexer = (path: string): readonly Found[] =>
  linesOf(join('address' in indexer ? dirname(indexer.address) : '', 'cdxj-indexer'), [path]).map((text) => {
    const { url, status, offset } = JSON.parse(text.slice(text.indexOf('{')))
    // warcio knows the five fields of version 1 alone: in its URLs of version 2 stand those that are left of them.
    return { url: url.replace(/(%20| ).*/, ''), status, offset: Number(offset) }
  })

/** jwarc counts empty lines to the record behind them. */
const byJwarc = (path: string, bytes: Buffer): readonly Found[] =>
  linesOf('java', ['-jar', 'address' in jar ? jar.address : '', 'cdx', '--no-header', path])
    .map((text) => text.split(' '))
    .map(([, , url = '', , status = '', , , , , at = '']) => {
      const empty = /^\n*/.exec(bytes.toString('latin1', Number(at)))![0].length
      return { url, status, offset: Number(at) + empty }
    })

describe.skipIf(isAbsent)('ARC files as they were really written', () => {
  it('have the same captures to cdxj-indexer 1.5.0 and jwarc 0.36.0, where these read them', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'fonds-odd-arcs-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const path = join(folder, 'made.arc')
    const alone = join(folder, 'alone.arc')
    for (const { name, pieces, cdxjIndexer, jwarc } of oddArcs) {
      const bytes = Buffer.concat(pieces)
      writeFileSync(path, bytes)
      const reading = await readPath(path, { name: 'made.arc', kind: 'content' })
      const captures = 'captures' in reading ? reading.captures : []
      const ours = captures.map(({ url, status, offset }) => ({ url, status, offset }))
      expect(ours.length, name).toBeGreaterThan(0)
      const theirs = byCdxjIndexer(path)
      if (cdxjIndexer) expect(theirs.length, name).toBeLessThan(ours.length)
      else expect(theirs, name).toEqual(ours)
      expect(byJwarc(path, bytes), name).toEqual(jwarc ? [] : ours)
      for (const { url, status, offset, length } of captures) {
        writeFileSync(alone, bytes.subarray(offset, offset + length))
        expect(byCdxjIndexer(alone), name).toEqual([{ url, status, offset: 0 }])
      }
    }
  })
})
