import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
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

/** By the name of the file. */
type FoundIn = Readonly<Partial<Record<string, readonly Found[]>>>

const byFile = (found: readonly (Found & { readonly file: string })[]): FoundIn =>
  Object.fromEntries(
    Object.entries(Object.groupBy(found, ({ file }) => file)).map(([file, all = []]) => [
      file,
      all.map(({ url, status, offset }) => ({ url, status, offset })),
    ]),
  )

const byCdxjIndexer = (paths: readonly string[]): FoundIn =>
  byFile(
    linesOf(join('address' in indexer ? dirname(indexer.address) : '', 'cdxj-indexer'), paths).map((text) => {
      const { url, status, offset, filename } = JSON.parse(text.slice(text.indexOf('{')))
      // warcio knows the five fields of version 1 alone: in its URLs of version 2 stand those that are left of them.
      return { url: url.replace(/(%20| ).*/, ''), status, offset: Number(offset), file: filename }
    }),
  )

/** jwarc counts empty lines to the record behind them. */
const byJwarc = (paths: readonly string[]): FoundIn =>
  byFile(
    linesOf('java', ['-jar', 'address' in jar ? jar.address : '', 'cdx', '--no-header', ...paths])
      .map((text) => text.split(' '))
      .map(([, , url = '', , status = '', , , , , at = '', file = '']) => {
        const path = paths.find((one) => basename(one) === file) ?? ''
        const empty = /^\n*/.exec(readFileSync(path, 'latin1').slice(Number(at)))![0].length
        return { url, status, offset: Number(at) + empty, file }
      }),
  )

describe.skipIf(isAbsent)('ARC files as they were really written', () => {
  it('have the same captures to cdxj-indexer 1.5.0 and jwarc 0.36.0, where these read them', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'fonds-odd-arcs-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const write = (name: string, bytes: Buffer): string => {
      writeFileSync(join(folder, name), bytes)
      return join(folder, name)
    }
    const made = oddArcs.map((arc, i) => ({ ...arc, path: write(`${i}.arc`, Buffer.concat(arc.pieces)) }))
    const [refused, read] = [made.filter((arc) => arc.cdxjIndexer), made.filter((arc) => !arc.cdxjIndexer)]
    // Both end at the first file that they cannot read.
    const jwarc = byJwarc([
      ...made.filter((arc) => !arc.jwarc).map(({ path }) => path),
      ...made.filter((arc) => arc.jwarc).map(({ path }) => path),
    ])
    const cdxjIndexer = Object.assign(
      byCdxjIndexer(read.map(({ path }) => path)),
      ...refused.map(({ path }) => byCdxjIndexer([path])),
    ) as FoundIn
    const alone: string[] = []
    const expected: Record<string, readonly Found[]> = {}
    for (const arc of made) {
      const name = basename(arc.path)
      const reading = await readPath(arc.path, { name, kind: 'content' })
      const captures = 'captures' in reading ? reading.captures : []
      const ours = captures.map(({ url, status, offset }) => ({ url, status, offset }))
      expect(ours.length, arc.name).toBe(arc.captures.length)
      if (arc.cdxjIndexer) expect(cdxjIndexer[name]?.length ?? 0, arc.name).toBeLessThan(ours.length)
      else expect(cdxjIndexer[name], arc.name).toEqual(ours)
      expect(jwarc[name], arc.name).toEqual(arc.jwarc ? undefined : ours)
      for (const { url, status, offset, length } of captures) {
        const part = `${offset}-of-${name}`
        alone.push(write(part, Buffer.concat(arc.pieces).subarray(offset, offset + length)))
        expected[part] = [{ url, status, offset: 0 }]
      }
    }
    expect(byCdxjIndexer(alone)).toEqual(expected)
  })
})
