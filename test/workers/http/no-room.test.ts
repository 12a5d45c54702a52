import { readdirSync, statSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { isRight } from 'fp-ts/lib/Either.js'
import { expect, it, onTestFinished, vi } from 'vitest'
import { NoRoom } from '#src/async/machine-failure.ts'
import { createHttpClient } from '#src/workers/http/http-client.ts'
import { createRemoteFiles } from '#src/workers/indexing/remote/remote-files.ts'
import { createFetcher } from '#src/workers/ingest/fetch/fetcher.ts'
import type { FileWork } from '#src/workers/ingest/files/file-work.ts'
import { createRecordings } from '#src/workers/research/media/recordings.ts'
import { createRooms } from '#src/workers/runtime/room.ts'
import { type ManualClock, manualClock } from '../../fakes/manual-clock.ts'
import { patience } from '../../patience.ts'
import { noBuckets } from '../buckets/no-buckets.ts'
import { temporaryFolder } from '../indexing/temporary-folder.ts'

/* Downloads onto a disk that has no room below its threshold (ingest X10). */

const mebi = 1024 ** 2
const stallMillis = 60_000
const hold = { signal: new AbortController().signal, progress: () => {} }

const serve = async (listener: RequestListener): Promise<string> => {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/film`
}

/** Sends for as long as somebody reads. */
const endless: RequestListener = (_, response) => {
  const chunk = Buffer.alloc(64 * 1024)
  const more = () => {
    while (response.write(chunk));
    response.once('drain', more)
  }
  response.on('error', () => {})
  response.writeHead(200)
  more()
}

const bytesIn = (folder: string): number =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0)

/** Fetches onto a disk of 20 MiB, of which 80 % may be used. */
const fetching = (url: string, total = 20 * mebi) => {
  const parts = temporaryFolder()
  const volume = { total, others: 0, peak: 0 }
  const rooms = createRooms(80, () => {
    const used = bytesIn(parts) + volume.others
    volume.peak = Math.max(volume.peak, used)
    return { total: volume.total, used }
  })
  const clock = manualClock()
  const client = createHttpClient({ stallMillis })
  onTestFinished(() => client.close())
  const fetcher = createFetcher({
    openBucket: () => {
      throw new Error('no bucket is read here')
    },
    ...{ client, clock, stallMillis, hosts: undefined, downloads: 4, tries: 1, rooms },
    files: {} as FileWork,
  })
  const stopping = new AbortController()
  const fetch = () =>
    fetcher
      .fetch({ url }, { to: join(parts, 'film'), parts, key: 'film' }, { ...hold, signal: stopping.signal })
      .then(
        ({ size }) => ({ size }),
        (failure: unknown) => ({ failure }),
      )
  return {
    ...{ fetched: fetch(), again: fetch, clock, volume, parts },
    stop: () => stopping.abort(new Error('stopped')),
  }
}

/** The first look for room that found none, and each one after it. */
const waits = (clock: ManualClock, times: number) =>
  vi.waitFor(() => expect(clock.sleeps.length).toBeGreaterThanOrEqual(times), {
    timeout: patience,
    interval: 5,
  })

it('an endless body stops short of the threshold, and is waited with a moment; then nothing of it is kept', async () => {
  const { fetched, clock, volume, parts } = fetching(await serve(endless))
  for (let second = 1; second <= 30; second++) {
    await waits(clock, second)
    expect(bytesIn(parts)).toBeGreaterThan(15 * mebi)
    clock.advance(1000)
  }
  const { failure } = (await fetched) as { failure: NoRoom }
  expect(failure).toBeInstanceOf(NoRoom)
  expect(failure.message).toContain('of it arrived and are not kept')
  // A little more room would not do for long.
  expect(failure.missing).toBeGreaterThan(3 * mebi)
  expect(volume.peak).toBeLessThanOrEqual(16 * mebi)
  expect(bytesIn(parts)).toBe(0)
})

it('one that finds room within that moment goes on where it stands: it is asked for once', async () => {
  let asked = 0
  const film = Buffer.alloc(18 * mebi, 'film')
  const url = await serve((_, response) => {
    asked++
    response.writeHead(200).end(film)
  })
  const { fetched, clock, volume } = fetching(url)
  await waits(clock, 1)
  volume.total = 40 * mebi
  clock.advance(1000)
  expect(await fetched).toEqual({ size: film.length })
  expect(asked).toBe(1)
})

it('one that is too long from the beginning writes nothing', async () => {
  const film = Buffer.alloc(18 * mebi)
  const url = await serve((_, response) =>
    response.writeHead(200, { 'content-length': film.length }).end(film),
  )
  const { fetched, clock, parts, stop } = fetching(url)
  await waits(clock, 1)
  expect(bytesIn(parts)).toBeLessThan(1024)
  stop()
  expect(await fetched).toMatchObject({ failure: { message: 'stopped' } })
})

it('what can be resumed is kept, where it takes no more than half of what may be used', async () => {
  const film = Buffer.alloc(18 * mebi, 'film')
  const ranges: (string | undefined)[] = []
  const url = await serve(({ headers }, response) => {
    ranges.push(headers.range)
    const from = Number(/\d+/.exec(headers.range ?? '0')?.[0])
    response.writeHead(headers.range ? 206 : 200, {
      etag: '"one"',
      ...(headers.range && { 'content-range': `bytes ${from}-${film.length - 1}/${film.length}` }),
    })
    response.end(film.subarray(from))
  })
  const { fetched, clock, volume, parts, again } = fetching(url, 40 * mebi)
  volume.others = 26 * mebi
  for (let second = 1; second <= 30; second++) {
    await waits(clock, second)
    clock.advance(1000)
  }
  const { failure } = (await fetched) as { failure: NoRoom }
  expect(failure.message).toMatch(/; (5\.\d|6) MiB of it arrived and are kept$/)
  expect(bytesIn(parts)).toBeGreaterThan(5 * mebi)
  volume.others = 0
  expect(await again()).toEqual({ size: film.length })
  expect(ranges).toEqual([undefined, expect.stringMatching(/^bytes=[5-6]\d{6}-$/)])
})

it('the same holds of archive files on servers, and of media', async () => {
  const url = await serve((_, response) =>
    response.writeHead(200, { 'content-length': 5, etag: '"one"' }).end('bytes'),
  )
  const folder = temporaryFolder()
  const clock = manualClock()
  const remote = createRemoteFiles({ folder, hosts: undefined, stallMillis, clock, roomPercent: 0 })
  onTestFinished(() => remote.close())
  const look = await remote.stat({ location: url, modifiedAt: '2026-01-01T00:00:00.000Z' }, hold)
  if (!isRight(look)) throw new Error(JSON.stringify(look.left))
  await expect(remote.withCopy(look.right, hold, async () => 'read')).rejects.toBeInstanceOf(NoRoom)

  const recordings = createRecordings({ folder, clock, roomPercent: 0, openBucket: noBuckets })
  onTestFinished(() => recordings.close())
  await expect(recordings.open({ uri: url, type: 'audio/wav' }, hold)).rejects.toBeInstanceOf(NoRoom)
  expect(bytesIn(folder)).toBe(0)
})
