import { appendFileSync, renameSync } from 'node:fs'
import {
  chmod,
  mkdir,
  open as openFile,
  readFile,
  rename,
  rm,
  symlink,
  truncate,
  utimes,
  writeFile,
} from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { hashFile } from '#src/workers/research/media/hash-file.ts'
import { createRecordings } from '#src/workers/research/media/recordings.ts'
import { flac } from './flac.ts'
import { serve, startMediaServer, status } from './media-server.ts'
import { otherSound, sha256, sound, useRecordings } from './recordings-world.ts'

const world = useRecordings()
const { start, media, hold, open, failure, kept, expectSound, arrived, breakAt } = world

describe('fetching', () => {
  test('once; then it lies there, for other processes too', async () => {
    world.server.script(serve(sound))
    expect(world.recordings.has(media())).toBe(false)
    await expectSound(await open())
    await expectSound(await open())
    start()
    expect(world.recordings.has(media())).toBe(true)
    await expectSound(await open())
    expect(world.server.asked).toEqual(['GET'])
    expect(await kept('.part')).toEqual([])
  })

  test('two that want the same share one fetch; both hear of progress', async () => {
    world.server.script(serve(sound))
    let heard = 0
    const both = [1, 2].map(() =>
      world.recordings.open(
        media(),
        hold(undefined, () => heard++),
      ),
    )
    for (const recording of await Promise.all(both)) await expectSound(recording)
    expect(world.server.asked).toEqual(['GET'])
    expect(heard).toBeGreaterThanOrEqual(2)
  })

  test('a server that is slow holds up nobody else, though there is one thread', async () => {
    start({ threads: 1 })
    const asked = Promise.withResolvers<void>()
    world.server.script(() => asked.resolve(), serve(sound))
    const stop = new AbortController()
    const slow = world.recordings.open(media(), hold(stop.signal))
    await asked.promise
    await expectSound(await world.recordings.open(media(`${world.server.uri}?other`), hold()))
    stop.abort(new Error('enough'))
    await expect(slow).rejects.toThrow('enough')
  })

  test('what is not there is told, and not tried again', async () => {
    world.server.script(status(404))
    expect(await failure()).toBe('download: answered 404; check the address')
    world.server.script(status(403))
    expect(await failure()).toBe('download: answered 403; it is not open to everybody')
    expect(world.server.asked).toHaveLength(1)
  })

  test('a server in trouble is asked again, after pauses that grow, and as late as it says', async () => {
    world.server.script(status(500), status(503), status(429, { 'retry-after': '30' }), serve(sound))
    await expectSound(await open())
    expect(world.clock.pauses).toEqual([1000, 2000, 30_000])
    world.server.script(status(502))
    expect(await failure(`${world.server.uri}?2`)).toBe(
      'download: answered 502; tried 5 times, try again later',
    )
    expect(world.server.asked).toHaveLength(5)
  })

  test('a host that is not there', async () => {
    const { uri } = world.server
    await world.server.close()
    expect(await failure(uri)).toMatch(
      /^download: is on a host that takes no connections there; check the address/,
    )
    world.server = await startMediaServer()
  })

  test('redirects are followed, to http and https alone, not for ever', async () => {
    world.server.script(
      status(302, { location: '/elsewhere' }),
      status(307, { location: '?x=1' }),
      serve(sound),
    )
    await expectSound(await open())
    world.server.script(status(302, { location: '/round' }))
    expect(await failure(`${world.server.uri}?2`)).toBe(
      'download: redirects more than 5 times; check the address',
    )
    expect(world.server.asked).toHaveLength(6)
    world.server.script(status(301, { location: 'file:///etc/hostname' }))
    expect(await failure(`${world.server.uri}?3`)).toMatch('redirects to file: which is not http or https')
    world.server.script(status(301))
    expect(await failure(`${world.server.uri}?4`)).toMatch('redirects without saying where to')
  })

  test('a web page under an address of audio', async () => {
    world.server.script(status(200, { 'content-type': 'audio/mpeg' }, '<!doctype html><p>Sorry'))
    expect(await failure()).toBe('decode: is a web page, not audio that can be read; check the address')
    expect(await kept('')).toEqual([])
  })

  test('larger than is allowed: by its word, or by what comes', async () => {
    start({ maxBytes: 20_000 })
    world.server.script(serve(sound))
    expect(await failure()).toMatch(/^download: is larger than 20000 bytes \(32044\); raise the limit/)
    world.server.script((_, response) => {
      response.writeHead(200)
      const more = () => {
        while (!response.destroyed && response.write(Buffer.alloc(4096)));
      }
      response.on('drain', more)
      more()
    })
    expect(await failure(`${world.server.uri}?2`)).toMatch(/^download: is larger than 20000 bytes;/)
  })

  test('a server that falls silent is given up', async () => {
    start({ stallMillis: 50, tries: 2 })
    world.server.script(() => {})
    expect(await failure()).toBe(
      'download: sent nothing, or next to nothing, for 0.05 s; tried 2 times, try again later',
    )
    world.server.script((_, response) => void response.writeHead(200, { 'content-length': 99 }).write('RIFF'))
    expect(await failure(`${world.server.uri}?2`)).toMatch('next to nothing, for 0.05 s')
  })
})

test('a server that drips is given up, too', async () => {
  start({ stallMillis: 100, tries: 2 })
  world.server.script((_, response) => {
    const drip = setInterval(() => response.write(Buffer.alloc(1)), 10)
    response.on('close', () => clearInterval(drip))
  })
  expect(await failure()).toMatch('next to nothing, for 0.1 s; tried 2 times')
})

describe('going on with a download', () => {
  test('where it broke off', async () => {
    world.server.script(breakAt(sound, 10_000), serve(sound))
    await expectSound(await open())
    expect(world.server.asked).toEqual(['GET', 'GET bytes=10000-'])
  })

  test('a server that knows no ranges sends it all again', async () => {
    const whole = (_: unknown, response: ServerResponse) =>
      void response.writeHead(200, { etag: '"v1"', 'content-length': sound.length }).end(sound)
    world.server.script(breakAt(sound, 10_000), whole)
    await expectSound(await open())
    expect(world.server.asked).toEqual(['GET', 'GET bytes=10000-'])
  })

  test('what changed in between is fetched from its start', async () => {
    world.server.script(breakAt(otherSound, 10_000, '"old"'), serve(sound, '"new"'))
    await expectSound(await open())
    // A server that goes on with the new one where the old one ended.
    const careless = status(206, {
      etag: '"new"',
      'content-range': `bytes 10000-${sound.length - 1}/${sound.length}`,
    })
    world.server.script(breakAt(otherSound, 10_000, '"old"'), careless, serve(sound, '"new"'))
    await expectSound(await open(`${world.server.uri}?2`))
    expect(world.server.asked).toEqual(['GET', 'GET bytes=10000-', 'GET'])
  })

  test.each([
    ['begins elsewhere', { 'content-range': `bytes 9-${sound.length - 1}/${sound.length}` }],
    ['is of another length', { 'content-range': 'bytes 10000-20000/20001' }],
    ['says nothing', {}],
  ])('a partial answer that %s is not taken', async (_, headers) => {
    world.server.script(breakAt(sound, 10_000), status(206, headers, 'wrong'), serve(sound))
    await expectSound(await open())
    expect(world.server.asked).toEqual(['GET', 'GET bytes=10000-', 'GET'])
  })

  test('416, and a partial answer that nobody asked for', async () => {
    world.server.script(
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
    world.server.script(nameless, serve(sound))
    await expectSound(await open())
    expect(world.server.asked).toEqual(['GET', 'GET'])
  })

  test('stopped by the signal, it is gone on with by the next, in another process', async () => {
    const stop = new AbortController()
    const half = (_: unknown, response: ServerResponse) => {
      response
        .writeHead(200, { etag: '"v1"', 'content-length': sound.length })
        .write(sound.subarray(0, 10_000))
    }
    world.server.script(half, serve(sound))
    const opening = world.recordings.open(
      media(),
      hold(stop.signal, () => stop.abort(new Error('enough'))),
    )
    await expect(opening).rejects.toThrow('enough')
    await world.recordings.close()
    start()
    await expectSound(await open())
    expect(world.server.asked[1]).toMatch(/^GET bytes=[1-9]\d*-$/)
  })

  test('one of two gives up: the other gets it', async () => {
    const stop = new AbortController()
    world.server.script(serve(sound))
    const first = world.recordings.open(media(), hold(stop.signal))
    const second = open()
    stop.abort(new Error('enough'))
    await expect(first).rejects.toThrow('enough')
    await expectSound(await second)
  })

  test('what a process left behind that was killed', async () => {
    start({ tries: 1 })
    world.server.script(breakAt(sound, 10_000))
    await failure()
    const [part] = await kept('.part')
    // Its owner seems to live.
    const now = new Date()
    await utimes(join(world.folder, part!), now, now)
    world.server.script(serve(sound))
    await expectSound(await open())
    expect(world.server.asked).toEqual(['GET'])
    // Long silent now.
    await utimes(join(world.folder, part!), 1, 1)
    world.clock.time += 100_000_000
    await open()
    expect(world.server.asked[1]).toBe('GET bytes=10000-')
    // A description that is not whole is of no use.
    world.server.script(breakAt(sound, 10_000))
    await failure(`${world.server.uri}?2`)
    await truncate(join(world.folder, (await kept('.part.json'))[0]!), 5)
    world.server.script(serve(sound))
    await expectSound(await open(`${world.server.uri}?2`))
    expect(world.server.asked).toEqual(['GET'])
    expect(await kept('.part')).toEqual([])
  })

  test('two processes on one folder', async () => {
    world.server.script(breakAt(sound, 9000), breakAt(sound, 20_000), serve(sound))
    const other = createRecordings({ folder: world.folder, clock: world.clock })
    const both = await Promise.all([open(), other.open(media(), hold())])
    for (const recording of both) await expectSound(recording)
    await other.close()
    expect(await kept('.json')).toHaveLength(1)
  })
})

describe('keeping', () => {
  const day = 86_400_000

  test('after a day the server is asked: unchanged is kept, changed is fetched, equal is not decoded again', async () => {
    world.server.script(serve(sound))
    const first = await open()
    world.clock.time += day
    expect(world.recordings.has(media())).toBe(false)
    expect(await open()).toEqual(first)
    expect(world.server.asked).toEqual(['GET', 'GET "v1"'])
    expect(world.recordings.has(media())).toBe(true)
    world.clock.time += day
    world.server.script(serve(sound, '"v2"'))
    expect(await open()).toEqual(first)
    world.clock.time += day
    world.server.script(serve(otherSound, '"v3"'))
    const changed = await open()
    expect(changed).toMatchObject({ samples: 8000, hash: sha256(otherSound) })
    // Whoever still reads the old one can.
    await expectSound(first)
  })

  /** Opens and is done with it. */
  const use = async (uri: string): Promise<void> => {
    const over = new AbortController()
    await world.recordings.open(media(uri), hold(over.signal))
    over.abort()
  }
  const uris = [1, 2, 3].map((n) => () => `${world.server.uri}?${n}`)
  const have = () => uris.map((uri) => world.recordings.has(media(uri())))

  test('what was longest not used goes first', async () => {
    start({ maxCached: 70_000, restSeconds: 100 })
    world.server.script(serve(sound))
    for (const n of [0, 1]) {
      await use(uris[n]!())
      world.clock.time += 1_000_000
    }
    await use(uris[0]!())
    await use(uris[2]!())
    expect(have()).toEqual([true, false, true])
    // All of these were just used, perhaps by another process.
    await use(uris[1]!())
    expect(await kept('.pcm')).toHaveLength(3)
  })

  test('what is in use is not removed, however long that takes', async () => {
    start({ maxCached: 70_000, restSeconds: 100 })
    world.server.script(serve(sound))
    const over = new AbortController()
    await world.recordings.open(media(uris[0]!()), hold(over.signal))
    world.clock.time += 10_000_000
    for (const n of [1, 2]) {
      await use(uris[n]!())
      world.clock.time += 10_000_000
    }
    expect(have()).toEqual([true, false, true])
    over.abort()
    await use(uris[2]!())
    world.clock.time += 10_000_000
    await use(uris[1]!())
    expect(have()).toEqual([false, true, true])
  })

  test('samples or a description that are not whole are made again', async () => {
    world.server.script(serve(sound))
    const { path } = await open()
    await truncate(path, 100)
    await expectSound(await open())
    await truncate(join(world.folder, (await kept('.json'))[0]!), 20)
    await expectSound(await open())
    expect(world.server.asked).toHaveLength(3)
  })
})

describe('files', () => {
  let path: string
  let uri: string
  beforeEach(async () => {
    await mkdir(join(world.root, 'media'))
    path = join(world.root, 'media', 'an episode.wav')
    uri = pathToFileURL(path).href
    await writeFile(path, sound)
  })

  test('are read where they lie, and again when they changed', async () => {
    await expectSound(await open(uri))
    expect(world.recordings.has(media(uri))).toBe(true)
    await writeFile(path, otherSound)
    expect(world.recordings.has(media(uri))).toBe(false)
    expect(await open(uri)).toMatchObject({ hash: sha256(otherSound) })
    expect(await readFile(path)).toEqual(otherSound)
  })

  test('beneath the folders that are allowed, whatever links say', async () => {
    start({ folders: [join(world.root, 'media'), join(world.root, 'no such folder')] })
    await expectSound(await open(uri))
    const secret = join(world.root, 'secret.wav')
    await writeFile(secret, sound)
    await symlink(secret, join(world.root, 'media', 'link.wav'))
    for (const outside of [
      secret,
      join(world.root, 'media', 'link.wav'),
      join(world.root, 'media', '..', 'secret.wav'),
    ])
      expect(await failure(pathToFileURL(outside).href)).toBe(
        'download: is not in a folder that may be read; move it there, or allow its folder',
      )
  })

  test('a folder that may no longer be read: what was kept of it is not given out', async () => {
    await open(uri)
    start({ folders: [world.folder] })
    expect(world.recordings.has(media(uri))).toBe(false)
    expect(await failure(uri)).toMatch('is not in a folder that may be read')
  })

  test('another file under the name, while it is read: what was opened is decoded', async () => {
    const other = join(world.root, 'media', 'other.wav')
    await writeFile(other, otherSound)
    let swapped = false
    const swap = () => {
      if (!swapped) renameSync(other, path)
      swapped = true
    }
    await expectSound(await world.recordings.open(media(uri), hold(undefined, swap)))
    expect(swapped).toBe(true)
    expect(world.recordings.has(media(uri))).toBe(false)
  })

  test('by nobody any more, once the signal has ended it: the process goes on', async () => {
    const uncaught = vi.fn()
    process.on('uncaughtExceptionMonitor', uncaught)
    onTestFinished(() => void process.off('uncaughtExceptionMonitor', uncaught))
    const file = await openFile(path)
    const over = AbortSignal.abort(new Error('its lease has ended'))
    await expect(hashFile(file, over, () => {})).rejects.toThrow('its lease has ended')
    await file.close()
    await new Promise((resolve) => setImmediate(resolve))
    expect(uncaught).not.toHaveBeenCalled()
  })

  test('written to while it is read', async () => {
    let written = false
    const write = () => {
      if (!written) appendFileSync(path, 'more')
      written = true
    }
    await expect(world.recordings.open(media(uri), hold(undefined, write))).rejects.toThrow(
      'changed while it was read; try again when nobody writes to it',
    )
  })

  test('a disk that takes no samples is told with its code, by which it is known whose fault it is', async () => {
    await rm(world.folder, { recursive: true })
    await expect(open(uri)).rejects.toMatchObject({ name: 'MediaFailure', cause: { code: 'ENOENT' } })
  })

  test('that cannot be read are told', async () => {
    await rename(path, join(world.root, 'moved.wav'))
    expect(await failure(uri)).toMatch(/^download: is not there; check the path/)
    expect(await failure(pathToFileURL(join(world.root, 'media')).href)).toMatch(
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
    start({ maxBytes: 100 })
    expect(await failure(uri)).toMatch('download: is larger than 100 bytes (32044); raise the limit')
    await writeFile(path, '')
    expect(await failure(uri)).toMatch('decode: is empty; ')
  })
})

describe('the room that decoded media may take', () => {
  test('a few bytes of FLAC that are much silence: refused, with the setting named, and nothing is left', async () => {
    start({ maxHeld: 4_000_000, threads: 1 })
    const bomb = flac(8000, [new Float32Array(8000 * 400)], { packed: true })
    expect(bomb.length).toBeLessThan(20_000)
    world.server.script(serve(bomb))
    expect(await failure()).toBe(
      'decode: takes more room than is left for decoded media (2000000 bytes); raise FONDS_MEDIA_DECODED_BYTES, or cut it into parts',
    )
    expect(await kept('')).toEqual([])
    world.server.script(serve(sound))
    await expectSound(await open(`${world.server.uri}?well`))
  })
})

describe('decoding', () => {
  test('one at a time where there is one thread: who waits hears that there is progress', async () => {
    start({ threads: 1 })
    world.server.script(serve(sound))
    let heard = 0
    const first = open(`${world.server.uri}?1`)
    const second = world.recordings.open(
      media(`${world.server.uri}?2`),
      hold(undefined, () => heard++),
    )
    await first
    expect(heard).toBeGreaterThan(0)
    await expectSound(await second)
    expect(() => start({ threads: 0 })).toThrow(/threads: wants a whole number/)
    expect(() => start({ rate: 10 })).toThrow(/rate: wants a whole number of Hz/)
  })
})
