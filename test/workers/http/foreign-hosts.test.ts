import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { parseHosts } from '@fonds/download'
import { isLeft } from 'fp-ts/lib/Either.js'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { systemClock } from '#src/async/system-clock.ts'
import { createHttpClient } from '#src/workers/http/http-client.ts'
import { createRemoteFiles, type RemoteFiles } from '#src/workers/indexing/remote/remote-files.ts'
import { createFetcher } from '#src/workers/ingest/fetch/fetcher.ts'
import type { FileWork } from '#src/workers/ingest/files/file-work.ts'
import { callbacksOf } from '#src/workers/ingest/steps/callbacks.ts'
import { notify } from '#src/workers/ingest/steps/notify.ts'
import type { StepTools } from '#src/workers/ingest/steps/step.ts'
import { createRecordings } from '#src/workers/research/media/recordings.ts'
import { serveMedia } from '#src/workers/research/media/serve-media.ts'
import { createRooms } from '#src/workers/runtime/room.ts'
import { tone, wav } from '../../../packages/sound/test/decode/tones.ts'
import { noBuckets } from '../buckets/no-buckets.ts'
import { temporaryFolder } from '../indexing/temporary-folder.ts'

/*
 * Addresses that strangers name lead to public hosts alone, unless a setting names an inner one. The server stands on the
 * loopback: it may never be asked.
 */

const sound = wav(8000, [tone(8000, 1, 440)])
const hold = { signal: new AbortController().signal, progress: () => {} }
const stallMillis = 60_000
const clock = { ...systemClock, sleep: async () => {} }

let asked = 0
let port = 0
let location: string | undefined
const client = createHttpClient({ stallMillis })
const server = createServer((_, answer) => {
  asked++
  if (location !== undefined && asked === 1) return answer.writeHead(302, { location }).end()
  return answer.writeHead(200, { 'content-length': sound.length }).end(sound)
})
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  port = (server.address() as AddressInfo).port
})
afterAll(async () => {
  await client.close()
  server.closeAllConnections()
  server.close()
})
beforeEach(() => {
  asked = 0
  location = undefined
})

const fetcher = (hosts?: string) =>
  createFetcher({
    openBucket: () => {
      throw new Error('no bucket is read here')
    },
    client,
    clock,
    stallMillis,
    hosts: hosts === undefined ? undefined : parseHosts(hosts),
    downloads: 1,
    files: {} as FileWork,
    rooms: createRooms(100),
    tries: 2,
  }).reaching({ folders: [], isForeign: true })

type Ask = (url: string, hosts?: string) => Promise<string>

/** What is said at the end; `well` where it was let in. */
const downloaders: Readonly<Record<string, Ask>> = {
  'a file of a submission': (url, hosts) => {
    const parts = temporaryFolder()
    return fetcher(hosts)
      .fetch({ url }, { to: join(parts, 'a'), parts, key: 'a' }, hold)
      .then(() => 'well', String)
  },
  'the beginning of a payload': (url, hosts) =>
    fetcher(hosts)
      .beginning(url, 10, hold)
      .then(() => 'well', String),
  'a callback': (url, hosts) => {
    const job = { job: 1, facts: { batch: 'b', callback: url, localIds: [] }, found: {} }
    const known = hosts === undefined ? undefined : parseHosts(hosts)
    const callbacks = { ...callbacksOf(client, known, stallMillis, true), pauseMillis: 0 }
    const tools = { clock, callbacks, callbackMade: async () => {} } as unknown as StepTools
    return notify(job as never, tools, hold as never).then(() => 'well', String)
  },
  'an archive file': async (url, hosts) => {
    const remote = remoteFiles(hosts)
    const look = await remote.stat({ location: url, foreign: true }, hold)
    if (isLeft(look)) return look.left.reason
    const copied = await remote.withCopy(look.right, hold, async () => 'well')
    return typeof copied === 'string' ? copied : JSON.stringify(copied)
  },

  'media for research': async (url, hosts) => {
    const options = { folder: temporaryFolder(), clock, tries: 2, openBucket: noBuckets, ...listed(hosts) }
    const recordings = createRecordings(options)
    const media = { uri: url, type: 'audio/wav', foreign: true }
    try {
      return await recordings.open(media, hold).then(() => 'well', String)
    } finally {
      await recordings.close()
    }
  },
  'media for a listener': async (url, hosts) => {
    const source = {
      ...listed(hosts),
      openBucket: noBuckets,
      isForeign: true,
      stallMillis,
      signal: hold.signal,
    }
    const served = await serveMedia(url, { method: 'HEAD', headers: {} }, source)
    return isLeft(served) ? served.left.message : 'well'
  },
}

const listed = (hosts: string | undefined) => (hosts === undefined ? {} : { hosts: parseHosts(hosts) ?? [] })

const opened = new Map<string | undefined, RemoteFiles>()
const remoteFiles = (hosts: string | undefined) => {
  const options = { folder: temporaryFolder(), hosts, stallMillis, clock, tries: 2 }
  const remote = opened.get(hosts) ?? createRemoteFiles(options)
  opened.set(hosts, remote)
  return remote
}
afterAll(() => Promise.all([...opened.values()].map((one) => one.close())))

/** Each leads to the loopback, or to an inner network. */
const spellings = [
  '127.0.0.1',
  '127.1',
  '0177.0.0.1',
  '0x7f.0.0.1',
  '2130706433',
  '0x7f000001',
  '127.0.0.1.',
  '[::1]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[0:0:0:0:0:ffff:7f00:0001]',
  '0.0.0.0',
  '[::]',
  '[64:ff9b::7f00:1]',
  '[2002:7f00:1::]',
  '[::127.0.0.1]',
  '[fec0::1]',
  '10.0.0.1',
  '169.254.169.254',
  'localhost',
  'LOCALHOST.',
  'a.localhost',
]

describe.each(Object.keys(downloaders))('%s that a stranger names', (what) => {
  const ask = downloaders[what]!

  it('is not asked for, however an inner address is written', async () => {
    for (const host of spellings)
      expect(await ask(`http://${host}:${port}/`), host).toMatch(
        /leads to \S+, which is no public address; add \S+ itself to FONDS_(INGEST|MEDIA)_HOSTS|names a host that/,
      )
    expect(asked).toBe(0)
  })

  it('nor where a redirect leads there', async () => {
    location = `http://localhost:${port}/`
    // Callbacks follow none.
    expect(await ask(`http://127.0.0.1:${port}/`, '127.0.0.1,*')).toMatch(
      /leads to \S+, which is no public address|answered 302/,
    )
    expect(asked).toBe(1)
  })

  it('is asked for where the setting names the host', async () => {
    expect(await ask(`http://127.0.0.1:${port}/`, '127.0.0.1,*')).toBe('well')
  })
})
