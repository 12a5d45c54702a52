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
  writeFile,
} from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { NoRoom } from '#src/async/machine-failure.ts'
import { hashFile } from '#src/workers/research/media/local.ts'
import { flac } from '../../../../packages/sound/test/decode/flac.ts'
import { serve } from './media-server.ts'
import { otherSound, sha256, sound, useRecordings } from './recordings-world.ts'

const world = useRecordings()
const { start, media, hold, open, failure, kept, expectSound } = world

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

  test('X10: a disk without room for the samples is told with what is missing, and is no fault of theirs', async () => {
    start({ roomPercent: 0 })
    const failure: unknown = await open(uri).catch((error: unknown) => error)
    if (!(failure instanceof NoRoom)) throw new Error('wanted NoRoom', { cause: failure })
    expect(failure.message).toMatch(/^there is no room for .* of the disk at .*, and 0 % may be;/)
    expect(failure.missing).toBeGreaterThan(0)
    expect(await kept('.pcm')).toEqual([])
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
    await expectSound(await second)
    expect(heard).toBeGreaterThan(0)
    expect(() => start({ threads: 0 })).toThrow(/threads: wants a whole number/)
    expect(() => start({ rate: 10 })).toThrow(/rate: wants a whole number of Hz/)
  })
})
