import { mkdtemp, readdir, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { createRecordings } from '#src/workers/research/media/recordings.ts'
import type { RecordingsOptions } from '#src/workers/research/media/recordings-options.ts'
import type { Recordings } from '#src/workers/research/recording.ts'
import { tone, wav, wavHead } from '../../../../packages/sound/test/decode/tones.ts'
import { noBuckets } from '../../buckets/no-buckets.ts'

/* Several processes of one home share a folder, and know of one another by the files in it alone. */

let root: string
let folder: string
let time: number
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'fonds-shared-'))
  onTestFinished(() => rm(root, { recursive: true, force: true, maxRetries: 10 }))
  folder = join(root, 'kept')
  time = Date.parse('2026-01-01T00:00:00.000Z')
})

const startProcess = (options: Partial<RecordingsOptions> = {}): Recordings => {
  const clock = { now: () => new Date(time).toISOString(), monotonic: () => time, sleep: async () => {} }
  const recordings = createRecordings({ folder, clock, openBucket: noBuckets, ...options })
  onTestFinished(() => recordings.close())
  return recordings
}
const hold = (signal = new AbortController().signal) => ({ signal, progress: () => {} })
const kept = async (suffix: string) => (await readdir(folder)).filter((name) => name.endsWith(suffix))
/** Two seconds each. */
const media = async (name: string) => {
  const path = join(root, name)
  await writeFile(path, wav(8000, [tone(8000, 2, 440)]))
  return { uri: pathToFileURL(path).href, type: 'audio/wav' }
}
/** Opens and is done with it. */
const use = async (recordings: Recordings, name: string): Promise<void> => {
  const over = new AbortController()
  await recordings.open(await media(name), hold(over.signal))
  over.abort()
}

describe('a media folder of several processes', () => {
  it('what one uses no other removes, however long it is used', async () => {
    // Room for two recordings.
    const options = { maxCached: 70_000, restSeconds: 1 }
    const [one, other] = [startProcess(options), startProcess(options)]
    const used = await media('used')
    const over = new AbortController()
    const { path } = await one.open(used, hold(over.signal))
    const [description] = await kept('.json')
    time += 10_000_000
    await vi.waitUntil(async () => (await stat(join(folder, description!))).mtimeMs === time)
    for (const name of ['a', 'b', 'c']) await use(other, name)
    expect(one.has(used)).toBe(true)
    expect((await stat(path)).size).toBe(32_000)

    over.abort()
    time += 10_000_000
    for (const name of ['d', 'e']) {
      await use(other, name)
      time += 10_000_000
    }
    expect(one.has(used)).toBe(false)
  })

  it('what another decoded meanwhile is not decoded again', async () => {
    const busy = startProcess({ threads: 1, maxBytes: 2 ** 33 })
    const long = join(root, 'long.wav')
    await writeFile(long, wavHead(44_100, 1, 44_100 * 7200, { bits: 16 }))
    await truncate(long, 44 + 44_100 * 7200 * 2)
    const enough = new AbortController()
    const decoding = busy.open({ uri: pathToFileURL(long).href, type: '' }, hold(enough.signal))
    await vi.waitUntil(async () => (await kept('.pcm')).length > 0)
    const same = await media('same')
    const waiting = busy.open(same, hold())
    const made = await startProcess().open(same, hold())
    enough.abort(new Error('enough'))
    await expect(decoding).rejects.toThrow('enough')
    expect(await waiting).toEqual(made)
    expect(await kept('.pcm')).toHaveLength(1)
  })
})
