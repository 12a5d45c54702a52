import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { type Pcm, rate } from '@fonds/sound'
import { createFourier, searchGroup } from '@fonds/sound/search'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { decodeFile } from '#src/workers/research/media/decode-file.ts'
import { server } from '../servers.ts'
import { type Corpus, makeCorpus, type Programs } from './corpus.ts'

const names = ['espeak-ng', 'sox', 'lame', 'flac', 'oggenc', 'opusenc'] as const
const installed = server('sound-programs')
const paths = 'address' in installed ? installed.address.split(delimiter) : []
const programs = Object.fromEntries(names.map((name, i) => [name, paths[i] ?? name])) as Programs

const seed = 38
/** Seconds by which a place may be off: codecs and their decoders. */
const tolerance = 0.05

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fonds-corpus-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const recorded = async (path: string): Promise<Pcm> => {
  await using file = await open(path)
  const target = `${path}.pcm`
  const bounds = { maxSeconds: 3600, maxBytes: 1e9, roomPercent: 100 }
  return { path: target, rate, ...(await decodeFile({ source: file.fd, target, rate, ...bounds }, () => {})) }
}

const judge = async ({ clips, programmes }: Corpus) => {
  const fourier = await createFourier()
  const sought = await Promise.all(
    clips.map(async ({ id, path }) => ({ id, recording: await recorded(path) })),
  )
  const wrong: string[] = []
  const missed: string[] = []
  let right = 0
  for (const { id, path, truth } of programmes) {
    const left = new Set(truth)
    for await (const outcome of searchGroup(fourier, await recorded(path), sought, async () => {})) {
      if ('error' in outcome) throw new Error(outcome.error)
      for (const { offset, score } of outcome.matches) {
        const isRight = (one: { readonly clip: string; readonly at: number }) =>
          one.clip === outcome.clip && Math.abs(one.at - offset / 1e9) < tolerance
        const hit = [...left].find(isRight)
        if (hit) right++
        else wrong.push(`${id}: ${outcome.clip} at ${(offset / 1e9).toFixed(2)}, ${score.toFixed(2)}`)
        if (hit) left.delete(hit)
      }
    }
    for (const { clip, at } of left)
      missed.push(`${id} (${path.split('.').at(-1)}): ${clip} at ${at.toFixed(2)}`)
  }
  return { right, wrong, missed }
}

describe.skipIf('absent' in installed)('programmes of speech, music, applause, tones and jingles', () => {
  test('by the programs espeak-ng, sox, lame, flac, oggenc and opusenc: precision and recall are 1 at the default threshold', async () => {
    const { right, wrong, missed } = await judge(makeCorpus(folder, seed, programs))
    expect({ wrong, missed }).toEqual({ wrong: [], missed: [] })
    expect(right).toBeGreaterThan(45)
  })
})
