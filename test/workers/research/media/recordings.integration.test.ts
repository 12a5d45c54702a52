import { truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isMachineFailure } from '#src/workers/research/outcomes.ts'
import { wavHead } from '../../../../packages/sound/test/decode/tones.ts'
import { runs } from '../../../runs.ts'
import { serve } from './media-server.ts'
import { sizeOf, sound, useRecordings } from './recordings-world.ts'

const world = useRecordings()
const { start, media, hold, open, kept, expectSound, breakAt } = world

/* What of recordings takes many seconds. */

describe('going on with a download', () => {
  test('property: wherever it breaks, the bytes are the same', async () => {
    const cuts = fc.array(fc.integer({ min: 1, max: sound.length - 1 }), { minLength: 1, maxLength: 4 })
    let run = 0
    await fc.assert(
      fc.asyncProperty(cuts, async (at) => {
        world.server.script(...at.toSorted((a, b) => a - b).map((cut) => breakAt(sound, cut)), serve(sound))
        await expectSound(await open(`${world.server.uri}?${run++}`))
      }),
      { numRuns: runs(25) },
    )
  })
})

describe('the room that decoded media may take', () => {
  const sizes = async () =>
    (await kept('')).map((name) => sizeOf(join(world.folder, name))).reduce((sum, size) => sum + size, 0)

  test('many at once, all in use: the bound holds, and who comes then is told whose fault it is not', async () => {
    start({ maxHeld: 200_000, maxCached: 100_000, threads: 2 })
    world.server.script(serve(sound))
    const opened = await Promise.allSettled(
      Array.from({ length: 12 }, (_, n) => open(`${world.server.uri}?${n}`)),
    )
    const failures = opened.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
    expect(failures.length).toBeGreaterThan(0)
    expect(failures.length).toBeLessThan(12)
    for (const error of failures.filter(isMachineFailure))
      expect(error.message).toMatch('all the room that FONDS_MEDIA_DECODED_BYTES gives')
    const fill = async () => {
      for (let n = 12; n < 24; n++) await open(`${world.server.uri}?${n}`)
    }
    await expect(fill()).rejects.toThrow('FONDS_MEDIA_DECODED_BYTES')
    expect(await sizes()).toBeLessThanOrEqual(200_000)
    // No longer in use: there is room again.
    world.clock.time += 3_600_000
    await world.recordings.close()
    start({ maxHeld: 200_000, maxCached: 100_000, threads: 2 })
    await expectSound(await open(`${world.server.uri}?more`))
  })
})

describe('decoding', () => {
  test('two hours need little memory', async () => {
    const path = join(world.root, 'long.wav')
    const frames = 16_000 * 7200
    await writeFile(path, wavHead(16_000, 1, frames, { bits: 16 }))
    await truncate(path, 44 + frames * 2)
    const before = process.memoryUsage.rss()
    let most = before
    const look = () => {
      most = Math.max(most, process.memoryUsage.rss())
    }
    const recording = await world.recordings.open(media(pathToFileURL(path).href), hold(undefined, look))
    expect(recording).toMatchObject({ samples: 8000 * 7200, duration: 7200e9 })
    expect((most - before) / 2 ** 20).toBeLessThan(150)
    expect(most).toBeGreaterThan(before)
  })

  test('is ended by the signal at once, and leaves nothing half-done', async () => {
    start({ maxBytes: 2 ** 33 })
    const path = join(world.root, 'long.wav')
    await writeFile(path, wavHead(44_100, 1, 44_100 * 7200, { bits: 16 }))
    await truncate(path, 44 + 44_100 * 7200 * 2)
    const stop = new AbortController()
    const pcmBegun = async () => (await kept('.pcm')).length > 0
    const opening = world.recordings.open(
      media(pathToFileURL(path).href),
      hold(stop.signal, () => void pcmBegun().then((is) => is && stop.abort(new Error('enough')))),
    )
    await expect(opening).rejects.toThrow('enough')
    await world.recordings.close()
    expect(await kept('')).toEqual([])
    await expect(open()).rejects.toThrow('closed')
  })
})
