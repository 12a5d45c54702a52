import {
  appendFileSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { systemClock } from '#src/async/system-clock.ts'
import { MINUTE } from '#src/domain/kernel/time.ts'
import { compareJob } from '#src/workers/indexing/compare-job.ts'
import type { Elsewhere } from '#src/workers/indexing/file-stat.ts'
import { indexJob } from '#src/workers/indexing/index-job.ts'
import { createIndexPool } from '#src/workers/indexing/threads/index-pool.ts'
import { warc } from './archive.ts'
import { useElsewhere } from './elsewhere.ts'
import { runWriterModule } from './run-writer-module.ts'
import { temporaryFolder } from './temporary-folder.ts'

const pool = createIndexPool(1, runWriterModule, 60_000)
afterAll(() => pool.close())

let folder: string
let elsewhere: Elsewhere
beforeEach(() => {
  folder = temporaryFolder()
  elsewhere = useElsewhere(folder, { hosts: 'localhost' })
})

const file = { repository: 'main', name: 'a.warc.gz' }
const watch = { signal: new AbortController().signal, progress: () => {} }
const tools = () => ({
  pool,
  elsewhere,
  runs: join(folder, 'runs'),
  format: 'cdx-11' as const,
  clock: systemClock,
  graceMillis: 10 * MINUTE,
  requestKeys: false,
})
const anHourAgo = new Date(Date.now() - 60 * MINUTE)
const put = (name: string, bytes: string | Uint8Array, date = anHourAgo): string => {
  const path = join(folder, name)
  writeFileSync(path, bytes)
  utimesSync(path, date, date)
  return path
}
const index = (
  location: string,
  confirm = async () => true,
  more: object = {},
  wanted: { readonly salvages?: true } = {},
) => {
  const job = { kind: 'index', place: { location }, fileKind: 'content', ...wanted } as const
  return indexJob({ file, fence: 1, confirm, job }, job, { ...tools(), ...more }, watch)
}
/** All that was written, run by run. */
const written = () =>
  readdirSync(join(folder, 'runs'))
    .filter((name) => name.endsWith('.cdx'))
    .map((name) => readFileSync(join(folder, 'runs', name), 'utf8'))

describe('indexing a file', () => {
  it('W14, W17 writes a run with a line for each capture, and says so with evidence', async () => {
    const bytes = warc('http://example.org/b', 'http://example.org/a')
    const outcome = await index(put('a.warc.gz', bytes))
    expect(outcome).toMatchObject({
      status: 'indexed',
      files: 1,
      lines: 2,
      run: { name: expect.stringMatching(/^r-/), first: 'org,example)/a', last: 'org,example)/b' },
      size: bytes.length,
      modifiedAt: anHourAgo.toISOString(),
      warnings: [],
    })
    const [run, ...others] = written()
    expect(run!.split('\n').map((line) => line.split(' ')[0])).toEqual([
      'org,example)/a',
      'org,example)/b',
      '',
    ])
    expect(others).toEqual([])
  })

  it.each([
    ['cut', warc('http://example.org/').subarray(0, -20), 'truncated'],
    ['empty', '', 'empty'],
    ['an error page', '<html>503', 'not-an-archive'],
  ])('W16 that is %s fails, and leaves no line anywhere', async (_, bytes, code) => {
    await index(put('a.warc.gz', warc('http://example.org/former')))
    const before = written()
    expect(await index(put('a.warc.gz', bytes))).toMatchObject({ status: 'failed', code })
    expect(written()).toEqual(before)
  })

  it('W20 that is salvaged gives lines of the records that are whole, and what is lost', async () => {
    const [one, other] = [warc('http://example.org/one'), warc('http://example.org/other')]
    const location = put('a.warc.gz', Buffer.concat([one, other.subarray(0, -20), one]))
    expect(await index(location)).toMatchObject({ status: 'failed', code: 'corrupt' })
    expect(await index(location, undefined, {}, { salvages: true })).toMatchObject({
      status: 'indexed',
      lines: 2,
      loss: { bytes: other.length - 20, places: 1, lost: [{ from: one.length }] },
    })
    expect(await index(put('a.warc.gz', one), undefined, {}, { salvages: true })).not.toHaveProperty('loss')
    expect(await index(put('a.warc.gz', 'none'), undefined, {}, { salvages: true })).toMatchObject({
      status: 'failed',
      code: 'not-an-archive',
    })
  })

  it('that is not there, or cannot be read here, fails with a reason', async () => {
    expect(await index(join(folder, 'none.warc'))).toMatchObject({ status: 'failed', code: 'not-found' })
    expect(await index(`file://${folder}/none.warc`)).toMatchObject({ status: 'failed', code: 'not-found' })
    expect(await index(folder)).toMatchObject({ status: 'failed', code: 'not-an-archive' })
    expect(await index('https://host.example/a.warc')).toMatchObject({
      status: 'failed',
      code: 'unreadable',
      reason: expect.stringMatching(/FONDS_INGEST_HOSTS/),
    })
  })

  it('that has not stood still is not opened', async () => {
    const now = new Date()
    const path = put('a.warc.gz', 'half a rec', now)
    expect(await index(path)).toEqual({ status: 'growing', size: 10, modifiedAt: now.toISOString() })
  })

  it('that changes while it is read is left for later', async () => {
    const path = put('a.warc.gz', warc('http://example.org/'))
    const changing = {
      ...pool,
      run: async (...given: Parameters<typeof pool.run>) => {
        appendFileSync(path, 'more')
        return {
          status: 'unreadable',
          failure: { code: 'growing', reason: 'it changed' },
        } as const satisfies Awaited<ReturnType<typeof pool.run>> & { given?: typeof given }
      },
    }
    expect(await index(path, undefined, { pool: changing })).toMatchObject({ status: 'growing' })
  })

  it('W18 whose claim was lost reports nothing', async () => {
    expect(await index(put('a.warc.gz', warc('http://example.org/')), async () => false)).toBeUndefined()
  })

  it('throws where the index takes nothing', async () => {
    writeFileSync(join(folder, 'runs'), 'a file')
    await expect(index(put('a.warc.gz', warc('http://example.org/')))).rejects.toThrow()
  })
})

describe('comparing two places', () => {
  const compare = (one: string, other: string) =>
    compareJob({ kind: 'compare', place: { location: one }, copy: { location: other } }, tools(), watch)
  const verdict = async (one: string, other: string) => {
    const outcome = await compare(one, other)
    return outcome.status === 'compared' ? outcome.verdict : outcome
  }

  it('goes by the bytes', async () => {
    const [big, alike, unlike] = [
      Buffer.alloc(2_500_000, 1),
      Buffer.alloc(2_500_000, 1),
      Buffer.alloc(2_500_000, 1),
    ]
    unlike[2_499_999] = 2
    const one = put('one', big)
    expect(await verdict(one, put('two', alike))).toBe('same')
    expect(await verdict(one, put('three', unlike))).toBe('different')
    expect(await verdict(one, put('four', 'short'))).toBe('different')
  })

  it('finds one file under two names without reading it', async () => {
    const one = put('one', 'bytes', new Date())
    mkdirSync(join(folder, 'link'))
    linkSync(one, join(folder, 'link/one'))
    expect(await verdict(one, join(folder, 'link/one'))).toBe('same')
  })

  it('finds what has gone, and waits for what grows', async () => {
    const [one, other] = [put('one', 'bytes'), put('other', 'bytes')]
    rmSync(other)
    expect(await verdict(one, other)).toBe('copy-gone')
    expect(await verdict(other, one)).toBe('moved')
    expect(await verdict(other, other)).toBe('copy-gone')
    expect(await verdict(one, put('young', 'byt', new Date()))).toMatchObject({ status: 'growing', size: 3 })
  })
})
