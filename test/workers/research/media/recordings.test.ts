import { createHash } from 'node:crypto'
import { appendFileSync, readdirSync, renameSync, statSync } from 'node:fs'
import {
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  symlink,
  truncate,
  utimes,
  writeFile,
} from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createRecordings, type RecordingsOptions } from '#src/workers/research/media/recordings.ts'
import { isOwnFault } from '#src/workers/research/outcomes.ts'
import { MediaFailure, type Recording, type Recordings } from '#src/workers/research/recording.ts'
import { flac } from './flac.ts'
import {
  breakAt as breakWhenArrived,
  type MediaServer,
  serve,
  startMediaServer,
  status,
} from './media-server.ts'
import { tone, wav, wavHead } from './tones.ts'

/** Time stands still until it is moved; pauses take none and are noted. */
const stillClock = () => {
  const clock = {
    time: Date.parse('2026-01-01T00:00:00.000Z'),
    pauses: [] as number[],
    now: () => new Date(clock.time).toISOString(),
    monotonic: () => clock.time,
    sleep: async (millis: number) => void clock.pauses.push(millis),
  }
  return clock
}

const sound = wav(8000, [tone(8000, 2, 440)])
const otherSound = wav(8000, [tone(8000, 1, 880)])
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

let root: string
let folder: string
let server: MediaServer
let clock: ReturnType<typeof stillClock>
let recordings: Recordings
const begun: Recordings[] = []
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'fonds-media-'))
  folder = join(root, 'kept')
  server = await startMediaServer()
  clock = stillClock()
  start()
})
afterEach(async () => {
  await Promise.all(begun.splice(0).map((one) => one.close()))
  await server.close()
  await rm(root, { recursive: true, force: true, maxRetries: 10 })
})

const start = (options: Partial<RecordingsOptions> = {}) => {
  recordings = createRecordings({ folder, clock, ...options })
  begun.push(recordings)
}
const media = (uri = server.uri) => ({ uri, type: 'audio/mpeg' })
const hold = (signal = new AbortController().signal, progress = () => {}) => ({ signal, progress })
const open = (uri = server.uri) => recordings.open(media(uri), hold())
const failure = async (uri = server.uri): Promise<string> => {
  const error: unknown = await open(uri).catch((thrown: unknown) => thrown)
  if (!(error instanceof MediaFailure)) throw new Error('wanted a MediaFailure', { cause: error })
  expect(error.message.startsWith(`${uri} `)).toBe(true)
  return `${error.stage}: ${error.message.slice(uri.length + 1)}`
}
const kept = async (suffix: string) => (await readdir(folder)).filter((name) => name.endsWith(suffix))
const expectSound = async (recording: Recording) => {
  expect(recording).toMatchObject({ rate: 8000, samples: 16_000, duration: 2e9, hash: sha256(sound) })
  expect(await readFile(recording.path)).toEqual(sound.subarray(44))
}

/** Until a part holds so many bytes. */
const arrived = async (bytes: number): Promise<void> => {
  const sizes = () =>
    readdirSync(folder).map((name) => (name.endsWith('.part') ? sizeOf(join(folder, name)) : 0))
  for (let i = 0; i < 100_000 && Math.max(0, ...sizes()) < bytes; i++)
    await new Promise((resolve) => setImmediate(resolve))
}
const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0
const breakAt = (bytes: Buffer, at: number, etag?: string) => breakWhenArrived(bytes, at, arrived, etag)

describe('fetching', () => {
  test('once; then it lies there, for other processes too', async () => {
    server.script(serve(sound))
    expect(recordings.has(media())).toBe(false)
    await expectSound(await open())
    await expectSound(await open())
    start()
    expect(recordings.has(media())).toBe(true)
    await expectSound(await open())
    expect(server.asked).toEqual(['GET'])
    expect(await kept('.part')).toEqual([])
  })

  test('two that want the same share one fetch; both hear of progress', async () => {
    server.script(serve(sound))
    let heard = 0
    const both = [1, 2].map(() =>
      recordings.open(
        media(),
        hold(undefined, () => heard++),
      ),
    )
    for (const recording of await Promise.all(both)) await expectSound(recording)
    expect(server.asked).toEqual(['GET'])
    expect(heard).toBeGreaterThanOrEqual(2)
  })

  test('a server that is slow holds up nobody else, though there is one thread', async () => {
    start({ threads: 1 })
    const asked = Promise.withResolvers<void>()
    server.script(() => asked.resolve(), serve(sound))
    const stop = new AbortController()
    const slow = recordings.open(media(), hold(stop.signal))
    await asked.promise
    await expectSound(await recordings.open(media(`${server.uri}?other`), hold()))
    stop.abort(new Error('enough'))
    await expect(slow).rejects.toThrow('enough')
  })

  test('what is not there is told, and not tried again', async () => {
    server.script(status(404))
    expect(await failure()).toBe('download: answered 404; check the address')
    server.script(status(403))
    expect(await failure()).toBe('download: answered 403; it is not open to everybody')
    expect(server.asked).toHaveLength(1)
  })

  test('a server in trouble is asked again, after pauses that grow, and as late as it says', async () => {
    server.script(status(500), status(503), status(429, { 'retry-after': '30' }), serve(sound))
    await expectSound(await open())
    expect(clock.pauses).toEqual([1000, 2000, 30_000])
    server.script(status(502))
    expect(await failure(`${server.uri}?2`)).toBe('download: answered 502; tried 5 times, try again later')
    expect(server.asked).toHaveLength(5)
  })

  test('a host that is not there', async () => {
    const { uri } = server
    await server.close()
    expect(await failure(uri)).toMatch(
      /^download: is on a host that takes no connections there; check the address/,
    )
    server = await startMediaServer()
  })

  test('redirects are followed, to http and https alone, not for ever', async () => {
    server.script(status(302, { location: '/elsewhere' }), status(307, { location: '?x=1' }), serve(sound))
    await expectSound(await open())
    server.script(status(302, { location: '/round' }))
    expect(await failure(`${server.uri}?2`)).toBe('download: redirects more than 5 times; check the address')
    expect(server.asked).toHaveLength(6)
    server.script(status(301, { location: 'file:///etc/hostname' }))
    expect(await failure(`${server.uri}?3`)).toMatch('redirects to file: which is not http or https')
    server.script(status(301))
    expect(await failure(`${server.uri}?4`)).toMatch('redirects without saying where to')
  })

  test('a web page under an address of audio', async () => {
    server.script(status(200, { 'content-type': 'audio/mpeg' }, '<!doctype html><p>Sorry'))
    expect(await failure()).toBe('decode: is a web page, not audio that can be read; check the address')
    expect(await kept('')).toEqual([])
  })

  test('larger than is allowed: by its word, or by what comes', async () => {
    start({ mostBytes: 20_000 })
    server.script(serve(sound))
    expect(await failure()).toMatch(/^download: is larger than 20000 bytes \(32044\); raise the limit/)
    server.script((_, response) => {
      response.writeHead(200)
      const more = () => {
        while (!response.destroyed && response.write(Buffer.alloc(4096)));
      }
      response.on('drain', more)
      more()
    })
    expect(await failure(`${server.uri}?2`)).toMatch(/^download: is larger than 20000 bytes;/)
  })

  test('a server that falls silent is given up', async () => {
    start({ stallMillis: 50, tries: 2 })
    server.script(() => {})
    expect(await failure()).toBe(
      'download: sent nothing, or next to nothing, for 0.05 s; tried 2 times, try again later',
    )
    server.script((_, response) => void response.writeHead(200, { 'content-length': 99 }).write('RIFF'))
    expect(await failure(`${server.uri}?2`)).toMatch('next to nothing, for 0.05 s')
  })
})

test('a server that drips is given up, too', async () => {
  start({ stallMillis: 100, tries: 2 })
  server.script((_, response) => {
    const drip = setInterval(() => response.write(Buffer.alloc(1)), 10)
    response.on('close', () => clearInterval(drip))
  })
  expect(await failure()).toMatch('next to nothing, for 0.1 s; tried 2 times')
})

describe('going on with a download', () => {
  test('where it broke off', async () => {
    server.script(breakAt(sound, 10_000), serve(sound))
    await expectSound(await open())
    expect(server.asked).toEqual(['GET', 'GET bytes=10000-'])
  })

  test('property: wherever it breaks, the bytes are the same', async () => {
    const cuts = fc.array(fc.integer({ min: 1, max: sound.length - 1 }), { minLength: 1, maxLength: 4 })
    let run = 0
    await fc.assert(
      fc.asyncProperty(cuts, async (at) => {
        server.script(...at.toSorted((a, b) => a - b).map((cut) => breakAt(sound, cut)), serve(sound))
        await expectSound(await open(`${server.uri}?${run++}`))
      }),
      { numRuns: 25 },
    )
  })

  test('a server that knows no ranges sends it all again', async () => {
    const whole = (_: unknown, response: ServerResponse) =>
      void response.writeHead(200, { etag: '"v1"', 'content-length': sound.length }).end(sound)
    server.script(breakAt(sound, 10_000), whole)
    await expectSound(await open())
    expect(server.asked).toEqual(['GET', 'GET bytes=10000-'])
  })

  test('what changed in between is fetched from its start', async () => {
    server.script(breakAt(otherSound, 10_000, '"old"'), serve(sound, '"new"'))
    await expectSound(await open())
    // A server that goes on with the new one where the old one ended.
    const careless = status(206, {
      etag: '"new"',
      'content-range': `bytes 10000-${sound.length - 1}/${sound.length}`,
    })
    server.script(breakAt(otherSound, 10_000, '"old"'), careless, serve(sound, '"new"'))
    await expectSound(await open(`${server.uri}?2`))
    expect(server.asked).toEqual(['GET', 'GET bytes=10000-', 'GET'])
  })

  test.each([
    ['begins elsewhere', { 'content-range': `bytes 9-${sound.length - 1}/${sound.length}` }],
    ['is of another length', { 'content-range': 'bytes 10000-20000/20001' }],
    ['says nothing', {}],
  ])('a partial answer that %s is not taken', async (_, headers) => {
    server.script(breakAt(sound, 10_000), status(206, headers, 'wrong'), serve(sound))
    await expectSound(await open())
    expect(server.asked).toEqual(['GET', 'GET bytes=10000-', 'GET'])
  })

  test('416, and a partial answer that nobody asked for', async () => {
    server.script(
      breakAt(sound, 10_000),
      status(416),
      status(206, { 'content-range': 'bytes 0-1/2' }),
      serve(sound),
    )
    await expectSound(await open())
  })

  test('without a validator it is fetched from its start', async () => {
    const nameless = (_: unknown, response: ServerResponse) => {
      response.writeHead(200, { 'content-length': sound.length })
      response.write(sound.subarray(0, 5000), () => void arrived(5000).then(() => response.destroy()))
    }
    server.script(nameless, serve(sound))
    await expectSound(await open())
    expect(server.asked).toEqual(['GET', 'GET'])
  })

  test('stopped by the signal, it is gone on with by the next, in another process', async () => {
    const stop = new AbortController()
    const half = (_: unknown, response: ServerResponse) => {
      response
        .writeHead(200, { etag: '"v1"', 'content-length': sound.length })
        .write(sound.subarray(0, 10_000))
    }
    server.script(half, serve(sound))
    const opening = recordings.open(
      media(),
      hold(stop.signal, () => stop.abort(new Error('enough'))),
    )
    await expect(opening).rejects.toThrow('enough')
    await recordings.close()
    start()
    await expectSound(await open())
    expect(server.asked[1]).toMatch(/^GET bytes=[1-9]\d*-$/)
  })

  test('one of two gives up: the other gets it', async () => {
    const stop = new AbortController()
    server.script(serve(sound))
    const first = recordings.open(media(), hold(stop.signal))
    const second = open()
    stop.abort(new Error('enough'))
    await expect(first).rejects.toThrow('enough')
    await expectSound(await second)
  })

  test('what a process left behind that was killed', async () => {
    start({ tries: 1 })
    server.script(breakAt(sound, 10_000))
    await failure()
    const [part] = await kept('.part')
    // Its owner seems to live.
    const now = new Date()
    await utimes(join(folder, part!), now, now)
    server.script(serve(sound))
    await expectSound(await open())
    expect(server.asked).toEqual(['GET'])
    // Long silent now.
    await utimes(join(folder, part!), 1, 1)
    clock.time += 100_000_000
    await open()
    expect(server.asked[1]).toBe('GET bytes=10000-')
    // A description that is not whole is of no use.
    server.script(breakAt(sound, 10_000))
    await failure(`${server.uri}?2`)
    await truncate(join(folder, (await kept('.part.json'))[0]!), 5)
    server.script(serve(sound))
    await expectSound(await open(`${server.uri}?2`))
    expect(server.asked).toEqual(['GET'])
    expect(await kept('.part')).toEqual([])
  })

  test('two processes on one folder', async () => {
    server.script(breakAt(sound, 9000), breakAt(sound, 20_000), serve(sound))
    const other = createRecordings({ folder, clock })
    const both = await Promise.all([open(), other.open(media(), hold())])
    for (const recording of both) await expectSound(recording)
    await other.close()
    expect(await kept('.json')).toHaveLength(1)
  })
})

describe('keeping', () => {
  const day = 86_400_000

  test('after a day the server is asked: unchanged is kept, changed is fetched, equal is not decoded again', async () => {
    server.script(serve(sound))
    const first = await open()
    clock.time += day
    expect(recordings.has(media())).toBe(false)
    expect(await open()).toEqual(first)
    expect(server.asked).toEqual(['GET', 'GET "v1"'])
    expect(recordings.has(media())).toBe(true)
    clock.time += day
    server.script(serve(sound, '"v2"'))
    expect(await open()).toEqual(first)
    clock.time += day
    server.script(serve(otherSound, '"v3"'))
    const changed = await open()
    expect(changed).toMatchObject({ samples: 8000, hash: sha256(otherSound) })
    // Whoever still reads the old one can.
    await expectSound(first)
  })

  /** Opens and is done with it. */
  const use = async (uri: string): Promise<void> => {
    const over = new AbortController()
    await recordings.open(media(uri), hold(over.signal))
    over.abort()
  }
  const uris = [1, 2, 3].map((n) => () => `${server.uri}?${n}`)
  const have = () => uris.map((uri) => recordings.has(media(uri())))

  test('what was longest not used goes first', async () => {
    start({ mostCached: 70_000, restSeconds: 100 })
    server.script(serve(sound))
    for (const n of [0, 1]) {
      await use(uris[n]!())
      clock.time += 1_000_000
    }
    await use(uris[0]!())
    await use(uris[2]!())
    expect(have()).toEqual([true, false, true])
    // All of these were just used, perhaps by another process.
    await use(uris[1]!())
    expect(await kept('.pcm')).toHaveLength(3)
  })

  test('what is in use is not removed, however long that takes', async () => {
    start({ mostCached: 70_000, restSeconds: 100 })
    server.script(serve(sound))
    const over = new AbortController()
    await recordings.open(media(uris[0]!()), hold(over.signal))
    clock.time += 10_000_000
    for (const n of [1, 2]) {
      await use(uris[n]!())
      clock.time += 10_000_000
    }
    expect(have()).toEqual([true, false, true])
    over.abort()
    await use(uris[2]!())
    clock.time += 10_000_000
    await use(uris[1]!())
    expect(have()).toEqual([false, true, true])
  })

  test('samples or a description that are not whole are made again', async () => {
    server.script(serve(sound))
    const { path } = await open()
    await truncate(path, 100)
    await expectSound(await open())
    await truncate(join(folder, (await kept('.json'))[0]!), 20)
    await expectSound(await open())
    expect(server.asked).toHaveLength(3)
  })
})

describe('files', () => {
  let path: string
  let uri: string
  beforeEach(async () => {
    await mkdir(join(root, 'media'))
    path = join(root, 'media', 'an episode.wav')
    uri = pathToFileURL(path).href
    await writeFile(path, sound)
  })

  test('are read where they lie, and again when they changed', async () => {
    await expectSound(await open(uri))
    expect(recordings.has(media(uri))).toBe(true)
    await writeFile(path, otherSound)
    expect(recordings.has(media(uri))).toBe(false)
    expect(await open(uri)).toMatchObject({ hash: sha256(otherSound) })
    expect(await readFile(path)).toEqual(otherSound)
  })

  test('beneath the folders that are allowed, whatever links say', async () => {
    start({ folders: [join(root, 'media'), join(root, 'no such folder')] })
    await expectSound(await open(uri))
    const secret = join(root, 'secret.wav')
    await writeFile(secret, sound)
    await symlink(secret, join(root, 'media', 'link.wav'))
    for (const outside of [secret, join(root, 'media', 'link.wav'), join(root, 'media', '..', 'secret.wav')])
      expect(await failure(pathToFileURL(outside).href)).toBe(
        'download: is not in a folder that may be read; move it there, or allow its folder',
      )
  })

  test('a folder that may no longer be read: what was kept of it is not given out', async () => {
    await open(uri)
    start({ folders: [folder] })
    expect(recordings.has(media(uri))).toBe(false)
    expect(await failure(uri)).toMatch('is not in a folder that may be read')
  })

  test('another file under the name, while it is read: what was opened is decoded', async () => {
    const other = join(root, 'media', 'other.wav')
    await writeFile(other, otherSound)
    let swapped = false
    const swap = () => {
      if (!swapped) renameSync(other, path)
      swapped = true
    }
    await expectSound(await recordings.open(media(uri), hold(undefined, swap)))
    expect(swapped).toBe(true)
    expect(recordings.has(media(uri))).toBe(false)
  })

  test('written to while it is read', async () => {
    let written = false
    const write = () => {
      if (!written) appendFileSync(path, 'more')
      written = true
    }
    await expect(recordings.open(media(uri), hold(undefined, write))).rejects.toThrow(
      'changed while it was read; try again when nobody writes to it',
    )
  })

  test('a disk that takes no samples is told with its code, by which it is known whose fault it is', async () => {
    await rm(folder, { recursive: true })
    await expect(open(uri)).rejects.toMatchObject({ name: 'MediaFailure', cause: { code: 'ENOENT' } })
  })

  test('that cannot be read are told', async () => {
    await rename(path, join(root, 'moved.wav'))
    expect(await failure(uri)).toMatch(/^download: is not there; check the path/)
    expect(await failure(pathToFileURL(join(root, 'media')).href)).toMatch(
      /^download: is (a folder|not a file); name the/,
    )
    expect(await failure('file://elsewhere/x.mp3')).toMatch('is on another host')
    expect(await failure('file:///dev/null')).toMatch('is not a file')
    if (process.getuid?.() !== 0) {
      await writeFile(path, sound)
      await chmod(path, 0)
      expect(await failure(uri)).toMatch('may not be read by this user')
    }
  })

  test('too large, or no sound', async () => {
    start({ mostBytes: 100 })
    expect(await failure(uri)).toMatch('download: is larger than 100 bytes (32044); raise the limit')
    await writeFile(path, '')
    expect(await failure(uri)).toMatch('decode: is empty; ')
  })
})

describe('the room that decoded media may take', () => {
  const sizes = async () =>
    (await kept('')).map((name) => sizeOf(join(folder, name))).reduce((sum, size) => sum + size, 0)

  test('a few bytes of FLAC that are much silence: refused, with the setting named, and nothing is left', async () => {
    start({ mostHeld: 4_000_000, threads: 1 })
    const bomb = flac(8000, [new Float32Array(8000 * 400)], { packed: true })
    expect(bomb.length).toBeLessThan(20_000)
    server.script(serve(bomb))
    expect(await failure()).toBe(
      'decode: takes more room than is left for decoded media (2000000 bytes); raise FONDS_MEDIA_DECODED_BYTES, or cut it into parts',
    )
    expect(await kept('')).toEqual([])
    server.script(serve(sound))
    await expectSound(await open(`${server.uri}?well`))
  })

  test('many at once, all in use: the bound holds, and who comes then is told whose fault it is not', async () => {
    start({ mostHeld: 200_000, mostCached: 100_000, threads: 2 })
    server.script(serve(sound))
    const opened = await Promise.allSettled(Array.from({ length: 12 }, (_, n) => open(`${server.uri}?${n}`)))
    const failures = opened.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
    expect(failures.length).toBeGreaterThan(0)
    expect(failures.length).toBeLessThan(12)
    for (const error of failures.filter(isOwnFault))
      expect(error.message).toMatch('all the room that FONDS_MEDIA_DECODED_BYTES gives')
    const fill = async () => {
      for (let n = 12; n < 24; n++) await open(`${server.uri}?${n}`)
    }
    await expect(fill()).rejects.toThrow('FONDS_MEDIA_DECODED_BYTES')
    expect(await sizes()).toBeLessThanOrEqual(200_000)
    // No longer in use: there is room again.
    clock.time += 3_600_000
    await recordings.close()
    start({ mostHeld: 200_000, mostCached: 100_000, threads: 2 })
    await expectSound(await open(`${server.uri}?more`))
  })
})

describe('decoding', () => {
  test('two hours need little memory', async () => {
    const path = join(root, 'long.wav')
    const frames = 16_000 * 7200
    await writeFile(path, wavHead(16_000, 1, frames, { bits: 16 }))
    await truncate(path, 44 + frames * 2)
    const before = process.memoryUsage.rss()
    let most = before
    const look = () => {
      most = Math.max(most, process.memoryUsage.rss())
    }
    const recording = await recordings.open(media(pathToFileURL(path).href), hold(undefined, look))
    expect(recording).toMatchObject({ samples: 8000 * 7200, duration: 7200e9 })
    expect((most - before) / 2 ** 20).toBeLessThan(150)
    expect(most).toBeGreaterThan(before)
  })

  test('is ended by the signal at once, and leaves nothing half-done', async () => {
    start({ mostBytes: 2 ** 33 })
    const path = join(root, 'long.wav')
    await writeFile(path, wavHead(44_100, 1, 44_100 * 7200, { bits: 16 }))
    await truncate(path, 44 + 44_100 * 7200 * 2)
    const stop = new AbortController()
    const pcmBegun = async () => (await kept('.pcm')).length > 0
    const opening = recordings.open(
      media(pathToFileURL(path).href),
      hold(stop.signal, () => void pcmBegun().then((is) => is && stop.abort(new Error('enough')))),
    )
    await expect(opening).rejects.toThrow('enough')
    await recordings.close()
    expect(await kept('')).toEqual([])
    await expect(open()).rejects.toThrow('closed')
  })

  test('one at a time where there is one thread: who waits hears that there is progress', async () => {
    start({ threads: 1 })
    server.script(serve(sound))
    let heard = 0
    const first = open(`${server.uri}?1`)
    const second = recordings.open(
      media(`${server.uri}?2`),
      hold(undefined, () => heard++),
    )
    await first
    expect(heard).toBeGreaterThan(0)
    await expectSound(await second)
    expect(() => start({ threads: 0 })).toThrow(/threads: wants a whole number/)
    expect(() => start({ rate: 10 })).toThrow(/rate: wants a whole number of Hz/)
  })
})
