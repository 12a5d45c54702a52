import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { isLeft } from 'fp-ts/lib/Either.js'
import { expect, it, onTestFinished } from 'vitest'
import { systemClock } from '#src/async/system-clock.ts'
import { createHttpClient } from '#src/workers/http/http-client.ts'
import { downloadTries } from '#src/workers/http/tries.ts'
import { createRemoteFiles } from '#src/workers/indexing/remote/remote-files.ts'
import { createFetcher } from '#src/workers/ingest/fetch/fetcher.ts'
import type { FileWork } from '#src/workers/ingest/files/file-work.ts'
import { settingsOf } from '#src/workers/research/media/recordings-options.ts'
import { createRemoteMedia } from '#src/workers/research/media/remote.ts'
import { createRooms } from '#src/workers/runtime/room.ts'
import { noBuckets } from '../buckets/no-buckets.ts'
import { temporaryFolder } from '../indexing/temporary-folder.ts'

/* Every download is tried as often, whatever the server answers (ingest I27, I28). */

const hold = { signal: new AbortController().signal, progress: () => {} }
const stallMillis = 60_000

const world = async (status: number) => {
  let asked = 0
  const server = createServer((_, answer) => {
    asked++
    const body = status === 200 ? 'a payload' : ''
    answer.writeHead(status, { 'content-length': body.length }).end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const pauses: number[] = []
  const clock = { ...systemClock, sleep: async (millis: number) => void pauses.push(millis) }
  const client = createHttpClient({ stallMillis })
  onTestFinished(async () => {
    await client.close()
    server.closeAllConnections()
    server.close()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/a.warc.gz`
  return { url, clock, client, pauses, folder: temporaryFolder(), asked: () => asked }
}
type World = Awaited<ReturnType<typeof world>>

const fetcherOf = ({ client, clock }: World) =>
  createFetcher({
    openBucket: () => {
      throw new Error('no bucket is read here')
    },
    client,
    clock,
    stallMillis,
    hosts: undefined,
    downloads: 1,
    files: {} as FileWork,
    rooms: createRooms(100),
    tries: downloadTries,
  })

/** What each says at the end. */
const downloaders: Readonly<Record<string, (world: World) => Promise<string>>> = {
  'a file of a submission': (world) =>
    fetcherOf(world)
      .fetch({ url: world.url }, { to: join(world.folder, 'a'), parts: world.folder, key: 'a' }, hold)
      .then(String, String),
  'the beginning of a payload': (world) =>
    fetcherOf(world).beginning(world.url, 10, hold).then(String, String),
  'an archive file': async ({ url, clock, folder }) => {
    const remote = createRemoteFiles({ folder, hosts: undefined, stallMillis, clock })
    onTestFinished(remote.close)
    const look = await remote.stat({ location: url }, hold)
    return isLeft(look) ? look.left.reason : 'it is there'
  },
  media: async ({ url, clock, folder }) => {
    const media = createRemoteMedia(settingsOf({ folder, clock, openBucket: noBuckets }))
    onTestFinished(media.close)
    return media
      .fetch({ uri: url, publicOnly: false, key: 'a', known: undefined }, hold, async () => 'fetched')
      .catch(String)
  },
}

it.each(
  [
    [400, 'answered 400 Bad Request; tried 5 times, check the address'],
    [403, 'answered 403 Forbidden; tried 5 times, it is not open to everybody'],
    [404, 'answered 404 Not Found; tried 5 times, check the address'],
    [410, 'answered 410 Gone; tried 5 times, check the address'],
    [503, 'answered 503 Service Unavailable; tried 5 times, try again later'],
  ].flatMap(([status, says]) =>
    Object.keys(downloaders).map((what) => [what, status, says] as [string, number, string]),
  ),
)('%s that is answered %i is asked for again, with a pause that doubles', async (what, status, says) => {
  const here = await world(status)
  expect(await downloaders[what]!(here)).toContain(`${here.url} ${says}`)
  expect(here.asked()).toBe(5)
  expect(here.pauses).toEqual([1000, 2000, 4000, 8000])
})

it.each(Object.keys(downloaders))(
  '%s at an address with a password is not asked for, and no password is told',
  async (what) => {
    const here = await world(200)
    const url = here.url.replace('://', '://ada:s3cret@')
    const says = await downloaders[what]!({ ...here, url })
    expect(says).toContain(`${here.url} holds a name or a password`)
    expect(says).not.toContain('s3cret')
    expect(here.asked()).toBe(0)
  },
)

it('the beginning of a payload is read before its answer is given up', async () => {
  const here = await world(200)
  expect(await fetcherOf(here).beginning(here.url, 100, hold)).toEqual(Buffer.from('a payload'))
})
