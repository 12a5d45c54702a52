import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { systemClock } from '#src/async/system-clock.ts'
import type { JobOutcome } from '#src/domain/indexing/outcome.ts'
import { compareJob } from '#src/workers/indexing/compare-job.ts'
import { indexJob } from '#src/workers/indexing/index-job.ts'
import { contentPlace } from '#src/workers/indexing/streams/content-place.ts'
import { createIndexPool } from '#src/workers/indexing/threads/index-pool.ts'
import { frames, httpResponse, packed, warcinfo, warcRecord } from '../../../packages/warc/test/make-warc.ts'
import { seedObject, startS3 } from '../../fakes/s3-server.ts'
import { serveFolder } from '../../infra/content/http/serve-folder.ts'
import { useElsewhere } from './elsewhere.ts'
import { runWriterModule } from './run-writer-module.ts'
import { temporaryFolder } from './temporary-folder.ts'
import { waczOf } from './wacz/make-wacz.ts'

/* Archive files in buckets and behind HTTP: the same lines as from a disk, whatever happens to the connection. */

const pool = createIndexPool(1, runWriterModule, 60_000)
afterAll(() => pool.close())

let folder: string
beforeEach(() => {
  folder = temporaryFolder()
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'AKIDEXAMPLE')
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret')
})

const anHourAgo = new Date(Date.now() - 3_600_000)
const records = Array.from({ length: 60 }, (_, i) =>
  warcRecord({ url: `http://example.com/${i}`, block: httpResponse({ body: randomBytes(30_000) }) }),
)
const damaged = packed(...records)
damaged.fill(0, 500_000, 500_100)
const files: Readonly<Record<string, Buffer>> = {
  'gzip.warc.gz': packed(warcinfo(), ...records),
  'zstd.warc.zst': frames(records),
  'plain.warc': Buffer.concat([
    ...records.slice(0, 20),
    warcRecord({ type: 'request', block: Buffer.alloc(12_000_000, 'x') }),
    ...records.slice(20),
  ]),
  'zip.wacz': waczOf({
    'one.warc.gz': packed(...records.slice(0, 30)),
    'two.warc.gz': packed(...records.slice(30)),
  }),
  'cut.warc.gz': packed(...records).subarray(0, -1000),
  'damaged.warc.gz': damaged,
  'empty.warc.gz': Buffer.alloc(0),
}

const watch = { signal: new AbortController().signal, progress: () => {} }

const indexer = (contentSettings?: object, settings: { readonly graceMillis?: number } = {}) => {
  const elsewhere = useElsewhere(folder, contentSettings && { contentSettings })
  const tools = {
    ...{ pool, elsewhere, clock: systemClock, format: 'cdx-11' as const, requestKeys: false },
    graceMillis: 0,
    ...settings,
  }
  let runs = 0
  return async (location: string, more: { salvages?: true; watch?: typeof watch } = {}) => {
    const name = location.slice(location.lastIndexOf('/') + 1)
    const into = join(folder, `runs-${runs++}`)
    const { watch: watching = watch, ...wanted } = more
    const job = { kind: 'index', place: { location }, fileKind: 'content', ...wanted } as const
    const task = { file: { repository: 'main', name }, fence: 1, confirm: async () => true, job }
    const outcome = await indexJob(task, job, { ...tools, runs: into }, watching)
    const lines = existsSync(into)
      ? readdirSync(into)
          .filter((one) => one.endsWith('.cdx'))
          .map((one) => readFileSync(join(into, one), 'utf8'))
          .join('')
      : ''
    return { outcome: withoutPlace(outcome), lines }
  }
}

/** What must be the same wherever the file is. */
const withoutPlace = (outcome: JobOutcome | undefined) => {
  if (outcome?.status === 'failed') return { code: outcome.code, offset: outcome.offset }
  if (outcome?.status !== 'indexed') return outcome
  const { lines, digest, size, warnings, loss } = outcome
  return { lines, digest, size, warnings, loss }
}

const onDisk = () => {
  const at = join(folder, 'disk')
  mkdirSync(at, { recursive: true })
  for (const [name, bytes] of Object.entries(files)) {
    writeFileSync(join(at, name), bytes)
    utimesSync(join(at, name), anHourAgo, anHourAgo)
  }
  return at
}

const inBucket = async () => {
  const server = await startS3()
  onTestFinished(server.close)
  const bucket = server.bucket('bucket')
  for (const [name, bytes] of Object.entries(files))
    seedObject(bucket, `crawl 1/${name}`, bytes, { modifiedAt: anHourAgo })
  return { server, bucket, settings: { s3: { endpoint: server.endpoint, region: 'us-east-1' } } }
}

const location = (name: string) => `s3://bucket/crawl 1/${name}`

describe('archive files on servers', () => {
  it('are indexed as soon as they are in a bucket, which shows no object before it is whole', async () => {
    const { bucket, settings } = await inBucket()
    const index = indexer(settings, { graceMillis: 600_000 })
    seedObject(bucket, 'crawl 1/new.warc.gz', files['gzip.warc.gz']!)
    expect((await index(location('new.warc.gz'))).outcome).toMatchObject({ lines: records.length })
    const path = join(onDisk(), 'new.warc.gz')
    writeFileSync(path, files['gzip.warc.gz']!)
    expect((await index(path)).outcome).toMatchObject({ status: 'growing' })
  })

  it('have the outcomes and the lines that they have on a disk, salvaged or not', async () => {
    const disk = onDisk()
    const { settings } = await inBucket()
    const web = await serveFolder(disk)
    onTestFinished(web.close)
    const index = indexer(settings)
    for (const name of Object.keys(files))
      for (const salvages of [undefined, true] as const) {
        const how = salvages ? { salvages } : {}
        const local = await index(join(disk, name), how)
        expect(await index(location(name), how), `S3 ${name} ${salvages}`).toEqual(local)
        expect(await index(`${web.address}/${name}`, how), `HTTP ${name} ${salvages}`).toEqual(local)
      }
    expect(existsSync(join(folder, 'fetched'))).toBe(false)
  })

  it('are read by one request each', async () => {
    const { server, settings } = await inBucket()
    const index = indexer(settings)
    server.forgetCounts()
    expect((await index(location('gzip.warc.gz'))).outcome).toMatchObject({ lines: 60 })
    expect(server.count('GetObject')).toBe(1)
  })

  it('go on after resets, at the byte reached, with no line twice', async () => {
    const disk = onDisk()
    const { server, settings } = await inBucket()
    const index = indexer(settings)
    const whole = await index(join(disk, 'gzip.warc.gz'))
    let cuts = 3
    server.beforeEach(({ kind }) =>
      kind === 'GetObject' && cuts-- > 0 ? { kind: 'cut', afterBytes: 412_345 } : undefined,
    )
    server.forgetCounts()
    expect(await index(location('gzip.warc.gz'))).toEqual(whole)
    expect(server.count('GetObject')).toBe(4)
  })

  it('leave no line when they cannot be read to the end: none of it is called damaged', async () => {
    const { server, settings } = await inBucket()
    const index = indexer({ s3: { ...settings.s3, attempts: 1 } })
    server.beforeEach(({ kind }) => (kind === 'GetObject' ? { kind: 'cut', afterBytes: 0 } : undefined))
    expect(await index(location('gzip.warc.gz'))).toMatchObject({
      outcome: { code: 'unreadable' },
      lines: '',
    })
  })

  it('that change while they are read are no failure', async () => {
    const { server, bucket, settings } = await inBucket()
    const index = indexer(settings)
    server.beforeEach(({ kind }) => {
      if (kind === 'GetObject') seedObject(bucket, 'crawl 1/gzip.warc.gz', files['plain.warc']!)
      return undefined
    })
    expect((await index(location('gzip.warc.gz'))).outcome).toMatchObject({ status: 'growing' })
  })

  it('that are not there, or in a bucket that is not, are not found or cannot be read', async () => {
    const { settings } = await inBucket()
    const index = indexer(settings)
    expect((await index(location('none.warc.gz'))).outcome).toEqual({ code: 'not-found', offset: undefined })
    expect((await index('s3://other/none.warc.gz')).outcome).toMatchObject({ code: 'unreadable' })
  })

  it('are left at once when the job is stopped', async () => {
    const { server, settings } = await inBucket()
    const index = indexer(settings)
    const stopping = new AbortController()
    server.beforeEach(({ kind }) => {
      if (kind !== 'GetObject') return undefined
      setTimeout(() => stopping.abort(new Error('stop')), 50)
      return { kind: 'slow', pieceBytes: 1000, pauseMillis: 20 }
    })
    const stopped = index(location('gzip.warc.gz'), { watch: { ...watch, signal: stopping.signal } })
    await expect(stopped).rejects.toThrow('stop')
    server.beforeEach(undefined)
    expect((await index(location('gzip.warc.gz'))).outcome).toMatchObject({ lines: 60 })
  })

  it('are compared byte by byte with files of this machine', async () => {
    const disk = onDisk()
    const { settings, bucket } = await inBucket()
    const elsewhere = useElsewhere(folder, { contentSettings: settings })
    const compare = async (a: string, b: string) => {
      const job = { kind: 'compare', place: { location: a }, copy: { location: b } } as const
      const tools = { pool, elsewhere, clock: systemClock, format: 'cdx-11' as const, requestKeys: false }
      const outcome = await compareJob(job, { ...tools, runs: folder, graceMillis: 0 }, watch)
      return outcome.status === 'compared' ? outcome.verdict : outcome
    }
    const [here, there] = [join(disk, 'gzip.warc.gz'), location('gzip.warc.gz')]
    expect(await compare(here, there)).toBe('same')
    const other = Buffer.from(files['gzip.warc.gz']!)
    other[900_000]! ^= 1
    seedObject(bucket, 'other/gzip.warc.gz', other, { modifiedAt: anHourAgo })
    expect(await compare(there, 's3://bucket/other/gzip.warc.gz')).toBe('different')
    expect(await compare(there, 's3://bucket/none')).toBe('copy-gone')
    rmSync(here)
    expect(await compare(here, there)).toBe('moved')
  })
})

it.each([
  ['s3://bucket/a b/ü%20.warc.gz', { root: 's3://bucket', path: 'a b/ü%20.warc.gz' }],
  ['http://host:81/a/b%20c.warc.gz', { root: 'http://host:81', path: 'a/b c.warc.gz' }],
  ['http://host/a.warc.gz?id=7', undefined],
  ['http://host/a%2Fb.warc.gz', undefined],
  ['http://host/a%zz.warc.gz', undefined],
  ['/srv/a.warc.gz', undefined],
  ['file:///srv/a.warc.gz', undefined],
])('the store and path of %s', (address, place) => {
  expect(contentPlace(address)).toEqual(place)
})
