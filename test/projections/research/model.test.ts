import fc from 'fast-check'
import { expect, it } from 'vitest'
import { research } from '#src/projections/research/projection.ts'
import { clipProgress } from '#src/projections/research/questions/clip-progress.ts'
import { episodeProgress } from '#src/projections/research/questions/episode-progress.ts'
import { findings } from '#src/projections/research/questions/findings.ts'
import { progress } from '#src/projections/research/questions/progress.ts'
import { asOf } from '#src/projections/runtime/as-of.ts'
import { fakeEventStore } from '../../fakes/event-store.ts'
import { runs } from '../../runs.ts'
import { foldAll, openResearch } from './folding.ts'
import { engine, researchLog, t } from './log.ts'

/* Whatever happens, in whatever order: results of unknown pairs, withdrawals, new engines. */

const episode = fc.constantFrom('E', 'F', 'G')
const clip = fc.constantFrom('a', 'b', 'c', 'd')
const version = fc.constantFrom('1', '2')
const kind = <const Kind extends string>(name: Kind) => fc.constant(name)
const step = fc.oneof(
  { weight: 2, arbitrary: fc.record({ kind: kind('episode'), episode, uri: fc.constantFrom('x', 'y') }) },
  { weight: 2, arbitrary: fc.record({ kind: kind('clip'), clip }) },
  { weight: 8, arbitrary: fc.record({ kind: kind('result'), episode, clip, version, matches: fc.nat(2) }) },
  { weight: 2, arbitrary: fc.record({ kind: kind('fail'), episode, clip }) },
  { weight: 2, arbitrary: fc.record({ kind: kind('lease'), episode, clip }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: kind('silent'), episode, times: fc.integer({ min: 1, max: 6 }) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: kind('release'), episode }) },
  { weight: 1, arbitrary: fc.record({ kind: kind('retry'), episode }) },
  { weight: 1, arbitrary: fc.record({ kind: kind('withdraw-episode'), episode }) },
  { weight: 1, arbitrary: fc.record({ kind: kind('withdraw-clip'), clip }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: kind('reopen'),
      episode,
      version: fc.option(version, { nil: undefined }),
      clip: fc.option(clip, { nil: undefined }),
    }),
  },
)
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never

const steps = fc.array(step, { minLength: 1, maxLength: 40 })

/** The log, and beside it the plainest account of it: a set of pairs. */
const played = (some: readonly Step[]) => {
  const log = researchLog()
  const states = { episode: new Map<string, string>(), clip: new Map<string, string>() }
  const done = new Map<string, string>()
  const found = new Map<string, number>()
  const curate = (subject: 'episode' | 'clip', id: string, uri?: string) => {
    const known = states[subject].has(id)
    states[subject].set(id, 'live')
    const said = uri === undefined ? {} : { uri: `https://media.example/${uri}` }
    if (subject === 'episode') known ? log.amendEpisode(id, said) : log.episode(id, said)
    else known ? log.amendClip(id, said) : log.clip(id, said)
  }
  const withdraw = (subject: 'episode' | 'clip', id: string) => {
    if (states[subject].get(id) !== 'live') return
    states[subject].set(id, 'withdrawn')
    if (subject === 'episode') log.onEpisode(id, 'Withdrawn', { curator: 'feed' })
    else log.onClip(id, 'Withdrawn', { curator: 'feed' })
  }
  for (const one of some)
    switch (one.kind) {
      case 'episode':
        curate('episode', one.episode, one.uri)
        break
      case 'clip':
        curate('clip', one.clip)
        break
      case 'withdraw-episode':
        withdraw('episode', one.episode)
        break
      case 'withdraw-clip':
        withdraw('clip', one.clip)
        break
      case 'result': {
        const pair = `${one.episode} ${one.clip}`
        const repeat = done.has(pair)
        const offsets = [3, 8].slice(0, one.matches)
        log.result(one.episode, one.clip, {
          found: offsets,
          repeat,
          engine: { ...engine, version: one.version },
        })
        if (repeat) break
        done.set(pair, one.version)
        found.set(pair, one.matches)
        break
      }
      case 'fail':
        log.fail(one.episode, 'pair', { clip: one.clip, attempt: 1, retryAt: t(99) })
        break
      case 'retry':
        log.onEpisode(one.episode, 'Retried', { reason: 'r' })
        break
      case 'lease':
        log.lease(one.episode, `L${log.events.length}`, [one.clip])
        break
      case 'silent':
        log.onEpisode(one.episode, 'LeaseExpired', { lease: 'L', deadline: t(0), silent: one.times })
        break
      case 'release':
        log.onEpisode(one.episode, 'LeaseReleased', { lease: 'L', researcher: 'r', reason: 'r' })
        break
      case 'reopen':
        log.reopen(one.episode, {
          ...(one.version !== undefined && { engines: [`correlator ${one.version}`] }),
          ...(one.clip !== undefined && { clips: [one.clip] }),
        })
        for (const [pair, by] of done)
          if (
            pair.startsWith(`${one.episode} `) &&
            (one.version ?? by) === by &&
            (one.clip === undefined || pair.endsWith(` ${one.clip}`))
          )
            done.delete(pair)
    }
  return { log, states, done, found }
}

const live = (states: ReadonlyMap<string, string>) =>
  [...states].filter(([, state]) => state === 'live').map(([id]) => id)

it('rows are the same however many events are folded in one transaction, and whatever is held in memory', () => {
  fc.assert(
    fc.property(steps, fc.integer({ min: 1, max: 7 }), (some, batch) => {
      const { log } = played(some)
      const { viewStore, generation } = openResearch({ rowBytes: 4000 })
      foldAll(viewStore, generation, log.events)
      const other = viewStore.create(research.name, research.version, research.views)
      foldAll(viewStore, other, log.events, batch)
      expect(viewStore.compare(generation, other)).toEqual([])
      viewStore.close()
    }),
    { numRuns: runs(60) },
  )
})

it('X1, L43: progress is what counting pairs one by one comes to', () => {
  fc.assert(
    fc.property(steps, (some) => {
      const { log, states, done, found } = played(some)
      const { viewStore, generation } = openResearch()
      foldAll(viewStore, generation, log.events, 5)
      const [episodes, clips] = [live(states.episode), live(states.clip)]
      const pairs = episodes.flatMap((one) => clips.map((other) => `${one} ${other}`))
      const count = (of: readonly string[]) => of.filter((pair) => done.has(pair)).length
      const hits = (of: readonly string[]) => of.filter((pair) => (found.get(pair) ?? 0) > 0).length
      expect(progress(viewStore, t(9999))).toMatchObject({
        episodes: episodes.length,
        clips: clips.length,
        pairs: pairs.length,
        researched: count(pairs),
        open: pairs.length - count(pairs),
        found: hits(pairs),
      })
      for (const line of episodeProgress(viewStore, t(9999)).filter(({ state }) => /open|done/.test(state))) {
        const own = pairs.filter((pair) => pair.startsWith(`${line.episode} `))
        expect(line).toMatchObject({ pairs: own.length, researched: count(own), found: hits(own) })
      }
      for (const line of clipProgress(viewStore).filter(({ state }) => /open|done/.test(state))) {
        const own = pairs.filter((pair) => pair.endsWith(` ${line.clip}`))
        expect(line).toMatchObject({ pairs: own.length, researched: count(own), found: hits(own) })
      }
      const known = [...found].filter(([pair]) => {
        const [one, other] = pair.split(' ') as [string, string]
        return states.episode.has(one) && states.clip.has(other)
      })
      expect(findings(viewStore).findings).toHaveLength(known.reduce((sum, [, matches]) => sum + matches, 0))
      viewStore.close()
    }),
    { numRuns: runs(150) },
  )
})

it('X1: sums of the episodes’ own counts are what their bitmaps come to', () => {
  fc.assert(
    fc.property(steps, (some) => {
      const curated = (['a', 'b', 'c'] as const).map((clip) => ({ kind: 'clip', clip }) as const)
      const { log } = played([...curated, ...some])
      const answer = () => {
        const { viewStore, generation } = openResearch()
        foldAll(viewStore, generation, log.events, 5)
        const { episodes, clips, ...found } = progress(viewStore, t(9999))
        viewStore.close()
        return { episodes, clips, ...found }
      }
      const before = answer()
      // A clip that is known and not live: from now on the counts of episodes alone cannot tell.
      log.clip('gone')
      log.onClip('gone', 'Withdrawn', { curator: 'feed' })
      expect(answer()).toEqual(before)
    }),
    { numRuns: runs(150) },
  )
})

it('as of a time, the answers are what they were', async () => {
  const log = researchLog()
  log.episode('E')
  log.clip('a')
  log.clip('b')
  log.result('E', 'a', { found: [1] })
  log.reopen('E')
  let next = 0
  const eventStore = fakeEventStore({ now: () => log.events[next++]?.recordedAt ?? t(99) })
  for (const { stream, id, type, data, metadata } of log.events)
    await eventStore.append(stream, 'any', [{ id, type, data, metadata }])()
  const { viewStore } = openResearch()
  const researchedAt = async (time: string) => {
    const past = await asOf([research], { eventStore, viewStore }, { time })
    const { pairs, researched } = progress(past, time)
    past.close()
    return [pairs, researched]
  }
  expect(await researchedAt(t(1))).toEqual([1, 0])
  expect(await researchedAt(t(3))).toEqual([2, 1])
  expect(await researchedAt(t(4))).toEqual([2, 0])
})
