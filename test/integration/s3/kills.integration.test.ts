import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { openCaptureIndex } from '#infra/capture-index/capture-index.ts'
import { versitygw } from '#infra/local/s3/programs.ts'
import { startVersitygw, type Versitygw } from '#infra/local/s3/versitygw.ts'
import { httpResponse, packed, warcRecord } from '../../../packages/warc/test/make-warc.ts'
import { ask, start, until, useFolder } from '../../e2e/run-fonds.ts'
import { startFaultProxy } from '../../fakes/fault-proxy.ts'
import { type S3Calls, s3Calls } from '../../fakes/s3-calls.ts'
import { scanned } from '../../infra/capture-index/lines.ts'
import { limits } from '../../patience.ts'

/* Indexers that are killed in the middle of an object of a real server: indexing W18, W34. */

const count = 400
const file = packed(
  ...Array.from({ length: count }, (_, i) =>
    warcRecord({
      url: `http://example.com/${String(i).padStart(3, '0')}`,
      block: httpResponse({ body: randomBytes(50_000) }),
    }),
  ),
)
const size = file.length

describe.skipIf(versitygw() === undefined)('an archive file in a bucket', () => {
  let server: Versitygw
  let calls: S3Calls

  beforeAll(async () => {
    server = await startVersitygw()
    calls = s3Calls(server.endpoint, server.keys)
    expect(await calls.call('PUT', '/crawls')).toMatchObject({ status: 200 })
    expect(await calls.call('PUT', '/crawls/a.warc.gz', { body: file })).toMatchObject({ status: 200 })
  })
  afterAll(async () => {
    await calls.close()
    await server.stop()
  })

  const world = async () => {
    const proxy = await startFaultProxy(server.endpoint)
    onTestFinished(proxy.close)
    const { home } = useFolder()
    const env = {
      FONDS_INDEXING_SOURCES: 'main=s3://crawls',
      FONDS_INDEXING_POLL_SECONDS: '1',
      FONDS_INDEXING_RETRY_SECONDS: '1',
      FONDS_INDEXING_ATTEMPTS: '1000',
      FONDS_CLAIM_SECONDS: '2',
      FONDS_IDLE_MIN_SECONDS: '1',
      FONDS_IDLE_MAX_SECONDS: '1',
      FONDS_PORT: '0',
      FONDS_S3_ENDPOINT: proxy.endpoint,
      AWS_ACCESS_KEY_ID: server.keys.accessKeyId,
      AWS_SECRET_ACCESS_KEY: server.keys.secretAccessKey,
    }
    const index = openCaptureIndex(join(home, 'index/runs'))
    onTestFinished(() => index.close())
    const keys = async () => (await scanned(index)).map((line) => line.slice(0, line.indexOf(' ')))
    /** Offset at which each request for bytes begins, with the range that it asks for. */
    const ranges: string[] = []
    return { proxy, home, ranges, keys, work: () => start(['start'], { home, env }) }
  }
  const expected = Array.from({ length: count }, (_, i) => `com,example)/${String(i).padStart(3, '0')}`)

  it(
    'whose indexer is killed in the midst of it has each line once, after another read it anew',
    limits,
    async () => {
      const { proxy, home, ranges, keys, work } = await world()
      proxy.beforeEach(({ kind, headers }) => {
        if (kind !== 'GetObject') return undefined
        ranges.push(String(headers.range))
        if (ranges.length > 3) return undefined
        // Half of it comes at once, the rest when its reader is gone.
        return { kind: 'slow', pieceBytes: size / 2, pauseMillis: 10_000 }
      })
      for (let kills = 0; kills < 3; kills++) {
        const victim = work()
        await until('the object is being read', async () => ranges.length > kills || undefined)
        victim.child.kill('SIGKILL')
        await victim.exit
        expect(await keys()).toEqual([])
      }
      const last = work()
      await until('the index has all lines', async () => (await keys()).length >= count || undefined)
      expect((await keys()).toSorted()).toEqual(expected)
      // A process that is gone leaves nothing to go on with: each begins at the first byte. On a slow machine a claim runs out, and one more does.
      expect(ranges.length).toBeGreaterThanOrEqual(4)
      expect(new Set(ranges)).toEqual(new Set(['undefined']))
      const [row] = await ask(['query', 'indexing-files'], { home })
      expect(row).toMatchObject({ state: 'indexed', lines: count })
      last.child.kill('SIGKILL')
      await last.exit
      const [{ differences }] = (await ask(['rebuild', 'indexing', '--verify'], { home })) as [
        { differences: object[] },
      ]
      expect(differences).toEqual([])
    },
  )

  it('whose connection is reset goes on at the byte reached, and has each line once', limits, async () => {
    const { proxy, ranges, keys, work } = await world()
    proxy.beforeEach(({ kind, headers }) => {
      if (kind !== 'GetObject') return undefined
      ranges.push(String(headers.range))
      return ranges.length > 3 ? undefined : { kind: 'cut', afterBytes: 2_000_000 }
    })
    const worker = work()
    await until('the index has all lines', async () => (await keys()).length >= count || undefined)
    expect((await keys()).toSorted()).toEqual(expected)
    expect(ranges).toHaveLength(4)
    const starts = ranges.slice(1).map((range) => Number(/^bytes=(\d+)-/.exec(range)?.[1]))
    expect(starts).toEqual(starts.toSorted((a, b) => a - b))
    expect(starts.every((at) => at > 0 && at < size)).toBe(true)
    worker.child.kill('SIGKILL')
    await worker.exit
  })
})
