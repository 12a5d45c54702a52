import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { rate } from '@fonds/sound'
import { createResampler } from '@fonds/sound/decode'
import { scoreOf } from '@fonds/sound/search'
import type { Recording } from '../src/workers/research/recording.ts'
import { createSearcher } from '../src/workers/research/search/create-searcher.ts'
import type { Searcher, WantedClip } from '../src/workers/research/searcher.ts'
import { linesOfChannels } from './listening-channels.ts'
import { programme, studioRate } from './programmes.ts'
import { dropRecordings } from './recordings.ts'
import { printTable } from './table.ts'
import { twoPass, twoPassRate } from './two-pass.ts'

/*
 * Clips of 5 s in an hour of sound, samples on disk (in the page cache), on one thread and on two; beside the two-pass
 * search and the same correlation in the time domain, both over a part of the hour. Then programmes on one channel and on
 * two. `node bench/listening.ts [rounds]`
 */

const rounds = Number(process.argv[2] ?? 3)
if (!(rounds >= 1)) throw new Error('usage: node bench/listening.ts [rounds], from 1')

const seconds = 3600
const clipSeconds = 5
/** Of the hour, for those that take long. */
const part = { twoPass: 60, plain: 0.5 }

const folder = await mkdtemp(join(tmpdir(), 'fonds-bench-listening-'))

/** Ten minutes, six times over, at six volumes. */
const tenMinutes = programme(1, 600, 100).sound
const resampler = createResampler(studioRate, rate)
const slow = [...resampler.push(tenMinutes), ...resampler.end()]
const hour = Int16Array.from({ length: seconds * rate }, (_, i) => {
  const lap = Math.floor(i / slow.length)
  return (slow[i % slow.length] ?? 0) * (1 - lap / 8)
})

const record = async (name: string, samples: Int16Array): Promise<Recording> => {
  const path = join(folder, name)
  await writeFile(path, new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength))
  return { path, rate, samples: samples.length, duration: (samples.length * 1e9) / rate, hash: '' }
}

const cut = (from: number) => hour.slice(from * rate, (from + clipSeconds) * rate)

const timed = async (work: () => unknown): Promise<number> => {
  const start = performance.now()
  await work()
  return (performance.now() - start) / 1000
}

const best = async (work: () => unknown, times = rounds): Promise<number> => {
  let least = Number.POSITIVE_INFINITY
  for (let round = 0; round < times; round++) least = Math.min(least, await timed(work))
  return least
}

try {
  const episode = await record('episode', hour)
  const clips = await Promise.all(
    Array.from({ length: 100 }, async (_, i) => ({
      id: String(i),
      recording: await record(`clip-${i}`, cut(8 + 5.5 * i)),
    })),
  )
  const hold = { signal: new AbortController().signal, progress: () => {} }
  const matchesOf = async (searcher: Searcher, within: Recording, some: readonly WantedClip[]) => {
    let matches = 0
    for await (const outcome of searcher.search(within, some, hold)) {
      if ('error' in outcome) throw new Error(outcome.error)
      matches += outcome.matches.length
    }
    return matches
  }
  const search = async (searcher: Searcher, count: number) => {
    const matches = await matchesOf(searcher, episode, clips.slice(0, count))
    if (matches < count) throw new Error(`found ${matches} matches of ${count} clips`)
  }

  const studioClip = tenMinutes.slice(8 * studioRate, (8 + clipSeconds) * studioRate)
  if (studioRate !== twoPassRate) throw new Error('the two-pass search wants its own rate')
  const twoPasses =
    (await best(() => {
      const places = twoPass(tenMinutes.subarray(0, part.twoPass * studioRate), studioClip)
      if (!places.includes(8 * studioRate)) throw new Error('the two passes did not find the clip')
    })) *
    (seconds / part.twoPass)
  const plain =
    (await timed(() => {
      const clip = cut(8)
      for (let at = 0; at < part.plain * rate; at++) scoreOf(clip, hour.subarray(at, at + clip.length))
    })) *
    (seconds / part.plain)

  const lines = []
  const peer = 'two passes in samples'
  for (const threads of [1, 2]) {
    const searcher = createSearcher({ threads })
    try {
      await search(searcher, 2 * threads)
      for (const count of [1, 10, 100]) {
        if (threads > count) continue
        const ours = (await best(() => search(searcher, count), count > 10 ? 1 : rounds)) / count
        const what = `${count} clip${count > 1 ? 's' : ''}, ${threads} thread${threads > 1 ? 's' : ''}`
        console.log(`${what}: ${ours.toFixed(3)} s a clip`)
        const line = { what, ours: 1 / ours, unit: 'hours/s' }
        lines.push({ ...line, beside: peer, theirs: 1 / twoPasses, promise: 20 })
        if (count === 1)
          lines.push({ ...line, beside: 'correlation in the time domain', theirs: 1 / plain, promise: 1000 })
      }
    } finally {
      await searcher.close()
    }
  }
  console.log(
    `beside: ${twoPasses.toFixed(1)} s a clip in two passes, ${plain.toFixed(0)} s in the time domain`,
  )
  printTable(`an hour, clips of ${clipSeconds} s`, lines)

  const one = createSearcher({ threads: 1 })
  try {
    const channels = await linesOfChannels(rounds, tenMinutes, clips[0]!, (within, some) =>
      matchesOf(one, within, some),
    )
    printTable('4 minutes of WAV, one thread', channels)
  } finally {
    await one.close()
  }
} finally {
  await rm(folder, { recursive: true, force: true })
  await dropRecordings()
}
