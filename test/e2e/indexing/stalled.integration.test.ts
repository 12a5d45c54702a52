import { createHash } from 'node:crypto'
import {
  closeSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  renameSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { warcRecord } from '../../../packages/warc/test/make-warc.ts'
import { warc } from '../../workers/indexing/archive.ts'
import { ask, type Line, start, startServer, stop, until, useFolder } from '../run-fonds.ts'

const recordBytes = 3 * 1024 ** 3

/** A record that takes seconds to read, and no room on the disk. */
const putLarge = (path: string) => {
  const [head = ''] = warcRecord({
    url: 'http://example.org/former',
    type: 'resource',
    contentType: 'application/octet-stream',
    block: '',
    fields: { 'Content-Length': String(recordBytes) },
  })
    .toString('latin1')
    .split('\r\n\r\n')
  const file = openSync(path, 'w')
  const bytes = Buffer.from(`${head}\r\n\r\n`)
  writeSync(file, bytes)
  ftruncateSync(file, bytes.length + recordBytes)
  writeSync(file, '\r\n\r\n', bytes.length + recordBytes)
  closeSync(file)
}

/** What the first worker would have said of the file as it was. */
const lateOutcome = () => {
  const lines = `org,example)/former 20260131120000 http://example.org/former text/html 200 ${'A'.repeat(32)} - - 100 0 a.warc\n`
  const digest = createHash('sha256').update(lines).digest('hex')
  const seen = { size: lines.length, modifiedAt: '2026-01-31T12:00:00.000Z' }
  const outcome = { status: 'indexed', files: 1, lines: 1, digest, ...seen }
  const data = { repository: 'main', name: 'a.warc', worker: 'late', fence: 1, outcome }
  return { lines, message: `${JSON.stringify({ type: 'file.processed', ...data })}\n` }
}

it('W18, W21 a worker that was stopped wakes behind another: what it read never reaches the index', async () => {
  const { folder, home, root: crawl } = useFolder()
  const env = {
    FONDS_INDEXING_SOURCES: `main=${crawl}`,
    FONDS_INDEXING_POLL_SECONDS: '1',
    FONDS_INDEXING_GRACE_SECONDS: '1',
    FONDS_INDEXING_RETRY_SECONDS: '1',
    FONDS_CLAIM_SECONDS: '2',
    FONDS_STALL_SECONDS: '600',
    FONDS_IDLE_MIN_SECONDS: '1',
    FONDS_IDLE_MAX_SECONDS: '1',
  }
  const path = join(crawl, 'a.warc')
  const date = (seconds: number) => new Date(Date.now() - 3_600_000 + seconds * 1000)
  putLarge(path)
  utimesSync(path, date(0), date(0))
  const server = await startServer({ home, env }, ['--roles', 'processors,reactions,projections,api'])
  const worker = () => start(['worker', 'indexer'], { home, env })
  const aggregator = start(['worker', 'aggregator'], {
    home,
    env: { ...env, FONDS_INDEXING_FOLDER: join(home, 'index') },
  })
  const poller = start(['worker', 'poller'], { home, env })
  const file = async (): Promise<Line> =>
    ((await (await fetch(`${server.address}/api/v1/indexing/files`)).json()) as Line).files[0]
  const first = worker()
  await until('the first one reads', async () => (await file())?.state === 'indexing')
  first.child.kill('SIGSTOP')

  writeFileSync(join(folder, 'next.warc'), warc('http://example.org/new'))
  utimesSync(join(folder, 'next.warc'), date(60), date(60))
  renameSync(join(folder, 'next.warc'), path)
  const second = worker()
  const found = async (page: string) =>
    (await (await fetch(`${server.address}/cdx?url=http://example.org/${page}`)).text()) !== ''
  await until('the second one has it in the index', () => found('new'))

  first.child.kill('SIGCONT')
  await first.says(/the claim is lost/)
  // Of a worker that does not notice: it reports under its claim of then, with lines that match.
  const late = lateOutcome()
  mkdirSync(join(home, 'index/main'), { recursive: true })
  writeFileSync(join(home, 'index/main/a.warc.cdx'), late.lines)
  await ask(['produce', 'fonds.indexing.outcomes'], { home, stdin: late.message })
  const rejections = () => ask(['query', 'rejections', '--columns', 'stream,code'], { home })
  await until('its report is refused', async () => (await rejections()).length > 0)
  expect(await rejections()).toEqual([{ stream: 'indexing-main/a.warc', code: 'fenced' }])

  // The aggregator as the last one: it takes what is there before it ends.
  for (const one of [first, second, poller, aggregator]) expect(await stop(one)).toBe(0)
  expect(await found('former')).toBe(false)
  expect(await found('new')).toBe(true)
  const indexed = (await ask(['events', '--stream', 'indexing-main/a.warc'], { home })).filter(
    ({ type }) => type === 'FileIndexed',
  )
  expect(indexed).toHaveLength(1)
  expect(indexed[0].data.fence).toBeGreaterThan(1)
  await stop(server)
})
