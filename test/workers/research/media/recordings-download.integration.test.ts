import { truncate, utimes } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { createRecordings } from '#src/workers/research/media/recordings.ts'
import { noBuckets } from '../../buckets/no-buckets.ts'
import { serve, startMediaServer, status } from './media-server.ts'
import { otherSound, sound, useRecordings } from './recordings-world.ts'

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

  test('what is not there is told once it was asked for as often as all else', async () => {
    world.server.script(status(404))
    expect(await failure()).toBe('download: answered 404 Not Found; tried 5 times, check the address')
    world.server.script(status(403))
    expect(await failure()).toBe(
      'download: answered 403 Forbidden; tried 5 times, it is not open to everybody',
    )
    expect(world.server.asked).toHaveLength(5)
  })

  test('a server in trouble is asked again, after pauses that grow, and as late as it says', async () => {
    world.server.script(status(500), status(503), status(429, { 'retry-after': '30' }), serve(sound))
    await expectSound(await open())
    expect(world.clock.pauses).toEqual([1000, 2000, 30_000])
    world.server.script(status(502))
    expect(await failure(`${world.server.uri}?2`)).toBe(
      'download: answered 502 Bad Gateway; tried 5 times, try again later',
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
      'download: redirects more than 5 times; tried 5 times, check the address',
    )
    expect(world.server.asked).toHaveLength(30)
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
    const other = createRecordings({ folder: world.folder, clock: world.clock, openBucket: noBuckets })
    const both = await Promise.all([open(), other.open(media(), hold())])
    for (const recording of both) await expectSound(recording)
    await other.close()
    expect(await kept('.json')).toHaveLength(1)
  })
})
