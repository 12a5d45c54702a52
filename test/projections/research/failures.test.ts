import { beforeEach, describe, expect, it } from 'vitest'
import { parked } from '#src/projections/research/questions/parked.ts'
import { type Folded, folded } from './folding.ts'
import { t } from './log.ts'

let all: Folded
beforeEach(() => {
  all = folded()
  all.log.episode('E')
  all.log.clip('a')
  all.log.clip('b')
})
const episode = () => all.row('research-episodes', { episode: 'E' })
const failing = () => all.rows('research-failures').map(({ clip, failures }) => [clip, failures])
const clipFailure = {
  stage: 'decode',
  error: 'not audio',
  episode: 'E',
  researcher: 'r',
  attempt: 5,
} as const
const retried = (clip?: string) =>
  clip
    ? all.log.onClip(clip, 'Retried', { reason: 'mended' })
    : all.log.onEpisode('E', 'Retried', { reason: 'mended' })

describe('X8: failures', () => {
  it('of an episode: tried again later, then parked; a result ends them', () => {
    all.log.fail('E', 'episode', { attempt: 1, retryAt: t(300) })
    expect(episode()).toMatchObject({ failures: 1, error: 'answered 404', retryAt: t(300), parkedAt: null })
    all.log.fail('E', 'episode', { attempt: 2 })
    expect(episode()).toMatchObject({ failures: 2, retryAt: null, parkedAt: t(4) })
    all.log.result('E', 'a')
    expect(episode()).toMatchObject({ failures: 0, error: null, parkedAt: null })
    expect(all.row('research-researchers')).toMatchObject({ failures: 2, results: 1 })
    expect(all.row('research-hours')).toMatchObject({ failures: 2 })
  })

  it('of what is parked already do not park it anew: an older lease may bring one more (F22)', () => {
    const pair = () => all.row('research-failures', { clip: 'a' })
    const clip = () => all.row('research-clips', { clip: 'a' })
    all.log.fail('E', 'episode', { attempt: 5 })
    all.log.fail('E', 'pair', { clip: 'a', stage: 'search', attempt: 5 })
    all.log.onClip('a', 'ClipFailed', clipFailure)
    const before = [episode(), pair(), clip()].map((row) => row?.parkedAt)
    all.log.fail('E', 'episode', { attempt: 6 })
    all.log.fail('E', 'pair', { clip: 'a', stage: 'search', attempt: 6 })
    all.log.onClip('a', 'ClipFailed', { ...clipFailure, attempt: 6 })
    expect([episode(), pair(), clip()].map((row) => row?.failures)).toEqual([6, 6, 6])
    expect([episode(), pair(), clip()].map((row) => row?.parkedAt)).toEqual(before)
  })

  it('of pairs: each by itself, until it has a result', () => {
    all.log.fail('E', 'pair', { clip: 'a', stage: 'search', attempt: 1, retryAt: t(300) })
    all.log.fail('E', 'pair', { clip: 'b', stage: 'search', attempt: 1, retryAt: t(300) })
    all.log.fail('E', 'pair', { clip: 'b', stage: 'search', attempt: 2 })
    expect(failing()).toEqual([
      ['a', 1],
      ['b', 2],
    ])
    all.log.result('E', 'b')
    expect(failing()).toEqual([['a', 1]])
    all.log.result('E', 'a')
    expect(failing()).toEqual([])
    expect(all.row('research-episode-results')).toMatchObject({ failing: 0, failingClips: null })
  })

  it('that do not count have no row: of a clip here, of a pair that is done', () => {
    all.log.result('E', 'a')
    all.log.fail('E', 'pair', { clip: 'a' })
    all.log.fail('E', 'clip', { clip: 'b' })
    expect(failing()).toEqual([])
    expect(parked(all.views)).toEqual([])
  })

  it('a person has the episode and its pairs tried again; a clip by itself', () => {
    all.log.fail('E', 'pair', { clip: 'a', attempt: 5 })
    all.log.fail('E', 'episode', { attempt: 5 })
    all.log.onClip('b', 'ClipFailed', clipFailure)
    retried()
    expect(failing()).toEqual([])
    expect(episode()).toMatchObject({ failures: 0, parkedAt: null })
    const clip = () => all.row('research-clips', { clip: 'b' })
    expect(clip()).toMatchObject({ failures: 5, error: 'not audio', parkedAt: t(5) })
    retried('b')
    expect(clip()).toMatchObject({ failures: 0, error: null, parkedAt: null })
  })
})

describe('what waits for a person', () => {
  it('is listed, the longest waiting first, with the command that has it tried again', () => {
    all.log.fail('E', 'pair', { clip: 'a', attempt: 3, error: 'no memory' })
    all.log.episode("o'clock news")
    all.log.fail("o'clock news", 'episode', { attempt: 2 })
    all.log.onClip('b', 'ClipFailed', {
      stage: 'decode',
      error: 'not audio',
      episode: 'E',
      researcher: 'r',
      attempt: 1,
    })
    expect(parked(all.views)).toEqual([
      {
        subject: 'pair',
        episode: 'E',
        clip: 'a',
        failures: 3,
        error: 'no memory',
        parkedAt: t(3),
        remedy: 'fonds do research.retry episode=E --actor <you> --reason <why>',
      },
      {
        subject: 'episode',
        episode: "o'clock news",
        failures: 2,
        error: 'answered 404',
        parkedAt: t(5),
        remedy: `fonds do research.retry 'episode=o'\\''clock news' --actor <you> --reason <why>`,
      },
      {
        subject: 'clip',
        clip: 'b',
        failures: 1,
        error: 'not audio',
        parkedAt: t(6),
        remedy: 'fonds do research.retry clip=b --actor <you> --reason <why>',
      },
    ])
  })

  it('nothing of what is withdrawn, or was never curated', () => {
    all.log.fail('E', 'pair', { clip: 'a', attempt: 3 })
    all.log.fail('E', 'episode', { attempt: 3 })
    all.log.fail('unknown', 'episode', { attempt: 3 })
    all.log.onEpisode('E', 'Withdrawn', { curator: 'feed' })
    expect(parked(all.views)).toEqual([])
  })
})
