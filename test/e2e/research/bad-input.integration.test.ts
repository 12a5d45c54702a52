import { mkdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import { mixIn, rate, talk, wav } from '../../../src/cli/demo/sound.ts'
import type { Curated } from '../../../src/domain/research/curation-messages.ts'
import { parked as parkedThings } from '../../../src/projections/research/questions/parked.ts'
import { progress } from '../../../src/projections/research/questions/progress.ts'
import { limits } from '../../patience.ts'
import { type Given, type Line, linesOf, stop, until, useFolder } from '../run-fonds.ts'
import { ask, run } from '../run-here.ts'
import { clipResult, curate, sighting } from './curating.ts'
import { serveMedia } from './media-server.ts'
import { useHome } from './world.ts'

/* What curators, researchers and servers should never send: it ends in a clear word, and harms nothing else. */

const topics = {
  episodes: 'fonds.research.episodes',
  clips: 'fonds.research.clips',
  results: 'fonds.research.results',
}

let sent = 0
const message = (type: string, data: object): string =>
  JSON.stringify({ specversion: '1.0', id: `m${++sent}`, source: 'urn:test', type, data })
const produce = (given: Given, topic: string, ...lines: readonly string[]) =>
  run(['produce', topic, '--wait'], { ...given, stdin: lines.map((line) => `${line}\n`).join('') })

const result = (more: object = {}) =>
  message('clip.researched', { ...clipResult({ episode: 'e', clip: 'c', researcher: 'r' }), ...more })
const at = (...offsets: readonly number[]) => ({ matches: offsets.map((offset) => ({ offset, score: 0.9 })) })
const failed = (more: object = {}) =>
  message('research.failed', {
    episode: 'e',
    researcher: 'r',
    subject: 'episode',
    stage: 'download',
    error: 'it is not there',
    failedAt: '2026-01-05T12:00:00.000Z',
    ...more,
  })
const episode = (more: object = {}) => message('episode.curated', { ...sighting('e'), ...more })

/** A line, and what the sentence names. */
const refused: readonly (readonly [topic: keyof typeof topics, line: string, says: RegExp])[] = [
  ['results', result(at(-1)), /^clip\.researched: matches\.0\.offset: wants whole number.*got -1/],
  ['results', result(at(1.5)), /matches\.0\.offset: .*got 1\.5/],
  ['results', result(at(1e300)), /matches\.0\.offset: .*got 1e\+300/],
  ['results', result(at(59_500_000_000, 2 ** 53 - 1)), /matches lie within the episode/],
  ['results', result(at(5, 5)), /matches: wants at most 10000 matches by growing offset/],
  ['results', result(at(7, 5)), /matches: wants at most 10000 matches by growing offset/],
  ['results', result(at(...Array(10_001).keys())), /matches: wants at most 10000 matches/],
  [
    'results',
    result({ matches: [{ offset: 0, score: 2 }] }),
    /matches\.0\.score: wants number from 0 to 1, got 2/,
  ],
  ['results', result({ matches: null }), /matches: .*got null/],
  ['results', result({ episodeDuration: -5 }), /episodeDuration: .*got -5/],
  ['results', result({ clipDuration: '2 s' }), /clipDuration: .*got "2 s"/],
  ['results', result({ researchedAt: 'just now' }), /researchedAt: .*got "just now"/],
  ['results', result({ episode: undefined }), /episode: .*got nothing/],
  ['results', result({ clip: '' }), /clip: is empty/],
  ['results', result({ lease: 7 }), /lease: wants lease id, got 7/],
  ['results', result({ final: 'yes' }), /final: .*got "yes"/],
  ['results', result({ engine: 'ears' }), /engine/],
  ['results', failed({ clip: 'c' }), /failure that names a clip, unless its subject is the episode/],
  ['results', failed({ subject: 'clip' }), /failure that names a clip/],
  ['results', failed({ stage: 'mood' }), /stage: wants stage.*got "mood"/],
  ['episodes', episode({ priority: '7' }), /priority: wants whole number from -1000000 to 1000000, got "7"/],
  ['episodes', episode({ priority: 1.5 }), /priority: .*got 1\.5/],
  ['episodes', episode({ priority: 1e9 }), /priority: .*got 1000000000/],
  [
    'episodes',
    episode({ curatedAt: '2026-01-01T00:00:00Z', firstCuratedAt: '2026-01-02T00:00:00Z' }),
    /firstCuratedAt is not after its curatedAt/,
  ],
  ['episodes', episode({ curatedAt: 'yesterday' }), /curatedAt: .*got "yesterday"/],
  [
    'episodes',
    episode({ mediaUri: 'shows/1.mp3' }),
    /mediaUri: wants absolute http, https, file or s3 \(s3:\/\/bucket\/key\) address/,
  ],
  ['episodes', episode({ mediaUri: 'ftp://media.example/1.mp3' }), /mediaUri: wants absolute/],
  ['episodes', episode({ mediaUri: 'https://me:secret@media.example/1.mp3' }), /mediaUri: wants absolute/],
  ['episodes', episode({ mediaType: 'mp3' }), /mediaType: wants media type such as audio\/mpeg, got "mp3"/],
  ['episodes', episode({ title: '' }), /title: .*got ""/],
  ['episodes', episode({ id: 'e\n' }), /id: .*control character/],
]

describe('messages that cannot be used', () => {
  it('are refused with the field at fault; the others are taken', limits, async () => {
    const { home } = useFolder()
    for (const name of ['results', 'episodes'] as const) {
      const bad = refused.filter(([topic]) => topic === name)
      const good = name === 'results' ? result() : episode()
      const ran = await produce({ home }, topics[name], ...bad.map(([, line]) => line), good)
      expect(ran.code).toBe(1)
      const [{ accepted, refused: count, refusals }] = linesOf(ran) as readonly [Line]
      expect([accepted, count]).toEqual([1, bad.length])
      expect(refusals).toMatchObject(
        bad.slice(0, 20).map(([, , says], n) => ({
          line: n + 1,
          reason: 'wrong-shape',
          message: expect.stringMatching(says),
        })),
      )
    }
    const [{ pairs }] = (await ask(['research', 'progress'], { home })) as readonly [Line]
    expect(pairs).toBe(0)
    expect(await ask(['dead-letters', 'list', '--status', 'all'], { home })).toEqual([])
  })
})

describe('results of what nobody has curated', () => {
  it('F27: are kept and listed, handled once, and count as soon as both are curated', limits, async () => {
    const { home } = useFolder()
    const given = { home }
    const found = result({ ...at(3_000_000_000), lease: 'no such lease', final: true })
    expect((await produce(given, topics.results, found, found)).code).toBe(0)
    const told = async () => (await ask(['research', 'anomalies'], given)).map(({ kind }) => kind).sort()
    const [unknown] = await ask(['research', 'progress'], given)
    expect(unknown).toMatchObject({ pairs: 0, researched: 0, found: 0 })
    expect(await told()).toEqual(['unknown-clip', 'unknown-episode', 'unknown-lease'])
    expect(await ask(['events', '--type', 'ClipResearched'], given)).toHaveLength(1)
    expect(await ask(['dead-letters', 'list', '--status', 'all'], given)).toEqual([])

    await produce(given, topics.clips, message('clip.curated', sighting('c')))
    expect(await told()).toEqual(['unknown-episode', 'unknown-lease'])
    await produce(given, topics.episodes, episode())
    const [known] = await ask(['research', 'progress'], given)
    expect(known).toMatchObject({ pairs: 1, researched: 1, found: 1 })
    expect(await told()).toEqual(['unknown-lease'])
    expect(await ask(['research', 'findings'], given)).toMatchObject([
      { episode: 'e', clip: 'c', offset: 3_000_000_000 },
    ])
    expect(await ask(['events', '--type', 'ClipResearched'], given)).toHaveLength(1)
  })
})

describe('failures of what nobody has curated', () => {
  it('F27: are kept and listed until it is curated', limits, async () => {
    const { home } = useFolder()
    const given = { home }
    const sent = [failed({ episode: 'typo' }), failed({ subject: 'clip', clip: 'c' })]
    expect((await produce(given, topics.results, ...sent, sent[0]!)).code).toBe(0)
    const told = async () =>
      (await ask(['research', 'anomalies'], given))
        .map(({ kind, episode, clip, times }) => [kind, episode || clip, times].join(' '))
        .sort()
    expect(await told()).toEqual(['unknown-clip c 1', 'unknown-episode e 1', 'unknown-episode typo 1'])
    expect(await ask(['events', '--type', 'ResearchFailed'], given)).toHaveLength(2)
    const { stdout } = await run(['research', 'anomalies', '--format', 'table'], given)
    expect(stdout).toContain('reported failures for the')

    await produce(given, topics.clips, message('clip.curated', sighting('c')))
    await produce(given, topics.episodes, episode())
    expect(await told()).toEqual(['unknown-episode typo 1'])
    expect(await ask(['dead-letters', 'list', '--status', 'all'], given)).toEqual([])
  })
})

/** A WAV file of so many hours of silence but for its beginning, which takes no room on the disk. */
const sparse = (file: string, hours: number, beginning: Float32Array): void => {
  const bytes = hours * 3600 * rate * 2
  const head = wav(beginning)
  head.writeUInt32LE(36 + bytes, 4)
  head.writeUInt32LE(bytes, 40)
  writeFileSync(file, head)
  truncateSync(file, 44 + bytes)
}

/** What a person reads of each. */
const unusable: Readonly<Record<string, RegExp>> = {
  gone: /^http:.*nothing answered 404 Not Found; tried 5 times, check the address$/,
  page: /page is a web page, not audio that can be read; check the address$/,
  header: /has a format chunk that is too short; export it again$/,
  nothing: /is empty; mp3, mp2, WAV, FLAC, Ogg Vorbis, Ogg Opus and Ogg FLAC are supported$/,
  noise: /is nothing that is known as audio; mp3/,
  folder: /is not a file; name the file itself$/,
  missing: /is not there; check the path, and whether its disk is mounted$/,
  silent: /holds no sound that can be read as wav; export it again$/,
  lost: /lost answered 404 Not Found; tried 5 times, check the address$/,
}

describe('media that cannot be used', () => {
  it(
    'each has its word, is parked, and keeps nobody from the others; memory is bounded',
    limits,
    async () => {
      const { home, folder, system, node, worker } = await useHome({
        leaseSeconds: 60,
        itemSeconds: 30,
        attempts: 1,
      })
      const media = join(folder, 'media')
      mkdirSync(join(media, 'folder.wav'), { recursive: true })
      const phrase = talk(2, 5)
      const show = wav(mixIn(talk(20, 7), phrase, 4))
      const file = (name: string, bytes?: Uint8Array): string => {
        if (bytes) writeFileSync(join(media, name), bytes)
        return pathToFileURL(join(media, name)).href
      }
      const page = Buffer.from('<!DOCTYPE html><html><body>Please log in</body></html>')
      const server = await serveMedia({ page: { body: page, type: 'audio/mpeg' }, show: { body: show } })
      sparse(join(media, 'hours.wav'), 4, mixIn(talk(20, 7), phrase, 4))

      const things = (uris: Readonly<Record<string, string>>): readonly Curated[] =>
        Object.entries(uris).map(([id, mediaUri]) => sighting(id, { mediaUri }))
      const running = node()
      await curate(system, {
        episodes: things({
          good: server.uri('show'),
          gone: server.uri('nothing'),
          page: server.uri('page'),
          torn: file('torn.wav', show.subarray(0, show.length / 2)),
          header: file('header.wav', show.subarray(0, 30)),
          nothing: file('nothing.wav', Buffer.alloc(0)),
          noise: file('noise.mp3', Buffer.from(Array.from({ length: 5000 }, (_, n) => (n * 7919) % 251))),
          folder: file('folder.wav'),
          missing: file('missing.wav'),
          hours: file('hours.wav'),
        }),
        clips: things({
          phrase: file('phrase.wav', wav(phrase)),
          longer: file('longer.wav', wav(talk(61, 9))),
          silent: file('silent.wav', wav(new Float32Array(0))),
          lost: server.uri('lost'),
        }),
      })
      const listener = worker()
      const { viewStore, clock } = system
      await until(
        'what is well is researched, what is not is parked',
        () =>
          viewStore.shape('research-leases') !== undefined &&
          progress(viewStore, clock.now()).researched === 6 &&
          parkedThings(viewStore).length === Object.keys(unusable).length,
      )
      const [next] = await ask(['research', 'next'], { home })
      expect(next.upcoming).toEqual([])
      const peak = Number(
        /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${listener.child.pid}/status`, 'utf8'))?.[1],
      )
      expect(await stop(listener)).toBe(0)

      const parked = await ask(['research', 'parked'], { home })
      expect(Object.fromEntries(parked.map((one) => [one.episode ?? one.clip, one.error]))).toEqual(
        Object.fromEntries(Object.entries(unusable).map(([id, says]) => [id, expect.stringMatching(says)])),
      )
      for (const { remedy } of parked)
        expect(remedy).toMatch(/^fonds do research\.retry (episode|clip)=\S+ --actor/)
      // What is well is researched, whatever stands beside it.
      const [{ researched, found }] = (await ask(['research', 'progress'], { home })) as readonly [Line]
      expect([researched, found]).toEqual([6, 3])
      const findings = await ask(['research', 'findings'], { home })
      expect(findings.map(({ episode, clip, offset }) => [episode, clip, Math.round(offset / 1e7)])).toEqual([
        ['good', 'phrase', 400],
        ['hours', 'phrase', 400],
        ['torn', 'phrase', 400],
      ])
      // The length that a WAV file states may be made up: what is there is heard, and the rest is told.
      const gaps = await ask(['query', 'research-gaps'], { home })
      expect(gaps).toMatchObject([{ episode: 'torn', count: 1, places: [{ offset: 9_998_625_000 }] }])
      const [longer] = await ask(['research', 'pair', 'good', 'longer'], { home })
      expect(longer.results).toMatchObject([
        { matches: [], note: expect.stringContaining('shorter than a third of the clip'), counts: true },
      ])
      // As samples in memory the long one alone would take more.
      expect(peak).toBeLessThan(400_000)
      expect(listener.stderr()).not.toContain('"level":50')
      expect(await stop(running)).toBe(0)
    },
  )
})
