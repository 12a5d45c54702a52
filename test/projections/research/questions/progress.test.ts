import { beforeEach, describe, expect, it } from 'vitest'
import { defaultPolicy } from '#src/domain/research/policy/policy.ts'
import { clipProgress } from '#src/projections/research/questions/clip-progress.ts'
import { decisions } from '#src/projections/research/questions/decisions.ts'
import { countEpisodes, episodeProgress } from '#src/projections/research/questions/episode-progress.ts'
import { progress } from '#src/projections/research/questions/progress.ts'
import { progressLines } from '#src/projections/research/questions/progress-question.ts'
import { toTheSecond } from '#src/projections/runtime/shown.ts'
import { type Folded, folded } from '../folding.ts'
import { t } from '../log.ts'

let all: Folded
beforeEach(() => {
  all = folded()
})
const curate = (episodes: readonly string[], clips: readonly string[]) => {
  for (const id of episodes) all.log.episode(id)
  for (const id of clips) all.log.clip(id)
}
const day = (hour: number, minutes = 0) => new Date(Date.UTC(2026, 0, 2, hour, minutes)).toISOString()
const results = (at: string, episode: string, ...clips: readonly string[]) => {
  for (const clip of clips) all.log.result(episode, clip, { at })
}

describe('X1: progress of all', () => {
  it('counts pairs of what is curated and not withdrawn', () => {
    curate(['E', 'F', 'gone'], ['a', 'b', 'c', 'lost'])
    all.log.result('E', 'a', { found: [1] })
    for (const clip of ['b', 'c', 'lost', 'unknown']) all.log.result('E', clip)
    all.log.result('gone', 'a', { found: [1] })
    all.log.result('unknown', 'a')
    all.log.lease('F', 'L', ['a', 'b', 'lost'], { deadline: t(3600) })
    all.log.result('F', 'a', { lease: 'L', effect: { kind: 'extended', deadline: t(3600) } })
    all.log.onEpisode('gone', 'Withdrawn', { curator: 'feed' })
    all.log.onClip('lost', 'Withdrawn', { curator: 'feed' })
    const expected = {
      episodes: 2,
      clips: 3,
      pairs: 6,
      researched: 4,
      leased: 1,
      open: 1,
      found: 1,
      episodesDone: 1,
      parked: 0,
    }
    expect(progress(all.views, t(100))).toMatchObject(expected)
    expect(progress(all.views, t(3600))).toMatchObject({ ...expected, leased: 0, open: 2 })
    all.log.fail('F', 'episode', { attempt: 5 })
    expect(progress(all.views, t(100)).parked).toBe(1)
  })

  it('F19: a clip that is new opens a pair in every episode; nothing there is nothing done', () => {
    expect(progress(all.views, t(0))).toMatchObject({ pairs: 0, open: 0, rate: { day: 0, hour: 0 } })
    expect(progress(all.views, t(0)).forecast).toBeUndefined()
    all.log.episode('E')
    expect(progress(all.views, t(9))).toMatchObject({ pairs: 0, episodes: 1, episodesDone: 0 })
    expect(episodeProgress(all.views, t(9))).toMatchObject([{ episode: 'E', pairs: 0, state: 'open' }])
    curate(['F'], ['a'])
    results(day(1), 'E', 'a')
    all.log.clip('b')
    expect(progress(all.views, day(1))).toMatchObject({ pairs: 4, researched: 1, open: 3 })
  })

  it('rate: over the hours with work, and the last one; forecast by the day as it was, idle hours included', () => {
    curate(['E', 'F'], ['a', 'b', 'c', 'd'])
    results(day(1, 10), 'E', 'a', 'b')
    results(day(9, 10), 'E', 'c')
    results(day(10, 10), 'E', 'd')
    const { rate, forecast } = progress(all.views, day(10, 30))
    // From 1:10 to 2:00, from 9:10 to 10:30: four are left.
    expect(rate).toEqual({ day: 4 / (130 / 60), hour: 1.5 })
    // Four in the 9 h 20 min since the first.
    expect(forecast).toBe(day(19, 50))
    expect(progress(all.views, day(15)).rate).toEqual({ day: 4 / (160 / 60), hour: 0 })
    expect(progress(all.views, day(9, 30)).rate).toEqual({ day: 3 / (70 / 60), hour: 1 })
    results(day(16), 'F', 'a', 'b', 'c', 'd')
    const done = progress(all.views, day(20))
    expect(done).toMatchObject({ noForecast: 'nothing is left' })
    expect(done).not.toHaveProperty('forecast')
  })

  it('forecast: the last 24 hours count whole where work goes on for days, else since it began', () => {
    curate(['E', 'F'], ['a', 'b', 'c', 'd'])
    results(day(-20, 30), 'E', 'a')
    results(day(9, 10), 'E', 'b')
    results(day(10, 10), 'E', 'c')
    const { recent, forecast } = progress(all.views, day(11))
    // From 12:00 of the day before on: what was done before is no part of it, and shows that nights count.
    expect(recent).toEqual({ pairs: 2, since: day(-12) })
    expect(forecast).toBe(new Date(Date.parse(day(11)) + (5 / 2) * 23 * 3_600_000).toISOString())
    // A week of rest later, the first hour counts alone.
    results(day(9 + 8 * 24, 10), 'E', 'd')
    expect(progress(all.views, day(10 + 8 * 24)).recent).toEqual({ pairs: 1, since: day(9 + 8 * 24, 10) })
  })

  it('no forecast, with the reason: nothing was done, or not lately, or it is paused, or all that is left waits', () => {
    const shown = (now: string) => {
      const answer = progress(all.views, now)
      expect(answer.forecast).toBeUndefined()
      return progressLines(answer)
    }
    expect(progress(all.views, day(1)).noForecast).toBe('there is nothing to research yet')
    curate(['E'], ['a', 'b', 'c'])
    expect(shown(day(1))).toContain('no forecast: no pair was researched yet')
    results(day(1, 10), 'E', 'a')
    expect(progress(all.views, day(24)).forecast).toBeDefined()
    expect(shown(day(25))).toContain(
      'no forecast: no pair was researched in the last 24 hours, the last one before 2026-01-02T02:00:00Z',
    )
    all.log.policy('AssigningPaused', { reason: 'the disk is mended' })
    expect(shown(day(2)).find((line) => line.startsWith('no forecast'))).toMatch(
      /^no forecast: research is paused since 2026-\S+: the disk is mended$/,
    )
    all.log.policy('AssigningResumed', { reason: 'it is' })
    all.log.fail('E', 'episode', { attempt: 1, retryAt: day(9), stage: 'decode', error: 'no audio' })
    expect(shown(day(2))).toContain(
      'no forecast: all that is left waits for its next try or for a person, or is excluded',
    )
  })

  it('forecast and rate promise nothing by a clock that was set back', () => {
    curate(['E', 'F'], ['a', 'b', 'c', 'd'])
    results(day(10, 30), 'E', 'a', 'b')
    // Two in the day, and six left.
    const back = progress(all.views, day(10, 10))
    expect(back).toMatchObject({ recent: { pairs: 2, since: day(-13) }, rate: { day: 4 } })
    expect(Date.parse(back.forecast!)).toBeGreaterThan(Date.parse(day(10, 10)) + 2 * 24 * 3_600_000)
    expect(progress(all.views, day(8)).noForecast).toBe(
      'all that was researched is later than now: the clock was set back',
    )
  })

  it('rate: since work began, with the first lease or result, not since the full hour, and over the turn of an hour', () => {
    curate(['E', 'F'], ['a', 'b', 'c', 'd'])
    const at = (minutes: number, seconds: number) =>
      new Date(Date.parse(day(12, minutes)) + seconds * 1000).toISOString()
    all.log.lease('E', 'L', ['a', 'b', 'c'], { deadline: day(20), at: at(59, 50) })
    results(at(59, 58), 'E', 'a')
    expect(progress(all.views, at(59, 58)).rate.day).toBeCloseTo(3600 / 8)
    results(at(60, 4), 'E', 'b', 'c')
    const { rate, forecast } = progress(all.views, at(60, 5))
    expect(rate.day).toBeCloseTo(3 * (3600 / 15))
    expect(forecast).toBe(at(60, 30))
  })

  it('X1: the forecast leaves out what waits for a person, until it does not any more', () => {
    curate(['E', 'F'], ['a', 'b', 'c', 'd'])
    all.log.clip('spam', { curator: 'spam' })
    results(day(1), 'E', 'a', 'b')
    /** At two pairs an hour. */
    const hoursLeft = () => {
      const { forecast } = progress(all.views, day(2))
      return forecast === undefined ? 0 : (Date.parse(forecast) - Date.parse(day(2))) / 3_600_000
    }
    expect(hoursLeft()).toBe(8 / 2)
    all.log.policy('CuratorExcluded', { curator: 'spam', reason: 'r' })
    expect(hoursLeft()).toBe(6 / 2)
    all.log.onClip('a', 'Excluded', { reason: 'r' })
    expect(hoursLeft()).toBe(5 / 2)
    // In E nothing is left: one pair is parked, and one waits for its next try.
    all.log.fail('E', 'pair', { clip: 'c', attempt: 5 })
    all.log.fail('E', 'pair', { clip: 'd', attempt: 1, retryAt: day(9) })
    expect(hoursLeft()).toBe(3 / 2)
    all.log.fail('F', 'episode', { attempt: 5 })
    expect(hoursLeft()).toBe(0)
    results(day(1, 40), 'E', 'd')
    expect(hoursLeft()).toBe(0)
    all.log.onEpisode('F', 'Retried', { reason: 'r' })
    expect(hoursLeft()).toBe(3 / 3)
  })
})

describe('X8: what failed and is tried again', () => {
  it('an episode that cannot be decoded does not bend the forecast, and is told with when and why', () => {
    curate(['E', 'F', 'G'], ['a', 'b', 'c', 'd'])
    const error = 'file:///srv/G.m4a is AAC, not audio that can be read'
    all.log.fail('G', 'episode', { attempt: 2, retryAt: day(9), stage: 'decode', error })
    results(day(1), 'E', 'a', 'b', 'c', 'd')
    results(day(1, 30), 'F', 'a', 'b')
    const now = progress(all.views, day(2))
    // Two pairs of F at six an hour; the four of G do not count.
    expect(now).toMatchObject({ forecast: day(2, 20), recent: { pairs: 6, since: day(1) } })
    expect(progressLines(now)).toContain('6 in the last 1 h; at that rate done by 2026-01-02T02:20:00Z')
    expect(progressLines(progress(all.views, day(3)))).toContain(
      '6 in the last 2 h, none in the last hour; at that rate done by 2026-01-02T03:40:00Z',
    )
    expect(now).toMatchObject({
      open: 6,
      waiting: 1,
      nextTries: [{ subject: 'episode', episode: 'G', failures: 2, at: day(9), error }],
    })
    expect(progressLines(now).join('\n')).toContain(
      `1 failed and waits for the next try; the forecast leaves it out:\n  episode G, next try at ${toTheSecond(day(9))}, after 2 failures: ${error}\n  \`fonds do research.retry episode=G --actor <you> --reason <why>\` tries it now`,
    )
    expect(progressLines(progress(all.views, day(10))).join('\n')).toContain(
      `episode G, its next try is due since ${toTheSecond(day(9))}, after 2 failures: ${error}`,
    )
    all.log.fail('G', 'episode', { attempt: 5, stage: 'decode', error })
    expect(progressLines(progress(all.views, day(10))).join('\n')).toMatch(
      /1 parked, with no next try until a person retries it:\n {2}episode G, since \S+, after 5 failures: file:/,
    )
    results(day(3), 'G', 'a')
    expect(progress(all.views, day(3))).toMatchObject({ waiting: 0, nextTries: [] })
  })

  it('clips and pairs wait as well, the next try first; parked and withdrawn ones do not', () => {
    curate(['E', 'F'], ['a', 'b', 'c'])
    all.log.fail('E', 'pair', { clip: 'a', attempt: 1, retryAt: day(8), stage: 'search', error: 'x' })
    all.log.onClip('b', 'ClipFailed', {
      episode: 'E',
      stage: 'decode',
      error: 'y',
      researcher: 'listener-1',
      attempt: 1,
      retryAt: day(7),
    })
    all.log.fail('F', 'episode', { attempt: 5 })
    expect(progress(all.views, day(2)).nextTries.map(({ subject, at }) => [subject, at])).toEqual([
      ['clip', day(7)],
      ['pair', day(8)],
    ])
    all.log.onClip('b', 'Withdrawn', { curator: 'site' })
    expect(progress(all.views, day(2))).toMatchObject({ waiting: 1, parked: 1 })
  })

  it('of many the first ten are listed, and all are counted, without those of withdrawn subjects', () => {
    const clips = Array.from({ length: 60 }, (_, i) => `c${i}`)
    curate(['E', 'F', 'G'], clips)
    for (const [n, episode] of ['G', 'F', 'E'].entries())
      for (const [i, clip] of clips.entries())
        all.log.fail(episode, 'pair', { clip, attempt: 1, retryAt: day(3 + n, i), stage: 'search' })
    all.log.fail('nobody-knows', 'episode', { attempt: 1, retryAt: day(3), stage: 'decode' })
    const first = () => progress(all.views, day(2)).nextTries.map(({ episode, clip }) => `${episode} ${clip}`)
    expect(progress(all.views, day(2)).waiting).toBe(180)
    expect(first()).toEqual(clips.slice(0, 10).map((clip) => `G ${clip}`))
    // Those to be tried first are withdrawn, more of them than a page holds.
    for (const episode of ['F', 'G']) all.log.onEpisode(episode, 'Withdrawn', { curator: 'site' })
    all.log.onClip('c0', 'Withdrawn', { curator: 'site' })
    expect(progress(all.views, day(2)).waiting).toBe(59)
    expect(first()).toEqual(clips.slice(1, 11).map((clip) => `E ${clip}`))
  })
})

describe('X1: progress of each', () => {
  it('X7: what a pinned curator brought comes first, as it is handed out', () => {
    all.log.episode('low', { curator: 'ben', priority: -1 })
    all.log.episode('high', { priority: 1 })
    all.log.clip('low', { curator: 'ben', priority: -1 })
    all.log.clip('high')
    const orders = () => [
      episodeProgress(all.views, t(9)).map(({ episode }) => episode),
      clipProgress(all.views).map(({ clip }) => clip),
    ]
    expect(orders()).toEqual([
      ['high', 'low'],
      ['high', 'low'],
    ])
    all.log.policy('CuratorPinned', { curator: 'ben', reason: 'r' })
    expect(orders()).toEqual([
      ['low', 'high'],
      ['low', 'high'],
    ])
  })

  it('X11: with aging, episodes stand in the order in which they are handed out then', () => {
    all.log.episode('old', { priority: -1 })
    for (let n = 0; n < 10; n++) all.log.clip(`c${n}`)
    all.log.episode('pinned', { priority: -9 })
    all.log.onEpisode('pinned', 'Pinned', { reason: 'r' })
    all.log.episode('new')
    all.log.result('strange', 'c0')
    const order = () => episodeProgress(all.views, t(100)).map(({ episode }) => episode)
    const aging = (version: number, more: { agingSeconds?: number }) =>
      all.log.policy('PolicySet', { version, policy: { ...defaultPolicy, ...more }, reason: 'r' })
    expect(order()).toEqual(['pinned', 'new', 'strange', 'old'])
    aging(1, { agingSeconds: 5 })
    expect(order()).toEqual(['pinned', 'old', 'new', 'strange'])
    aging(2, { agingSeconds: 50 })
    expect(order()).toEqual(['pinned', 'new', 'old', 'strange'])
    aging(3, {})
    expect(order()).toEqual(['pinned', 'new', 'strange', 'old'])
  })

  it('episodes stand in one order, whether or not all that are named are curated', () => {
    for (const [id, priority] of [
      ['b', 0],
      ['low', -1],
      ['a', 0],
      ['top', 2],
      ['pinned', -9],
    ] as const)
      all.log.episode(id, { priority })
    all.log.onEpisode('pinned', 'Pinned', { reason: 'r' })
    const order = (page = {}) =>
      episodeProgress(all.views, t(100), page)
        .map(({ episode }) => episode)
        .filter((episode) => episode !== 'strange')
    const curated = order()
    expect(curated).toEqual(['pinned', 'top', 'a', 'b', 'low'])
    expect(order({ limit: 2, offset: 1 })).toEqual(['top', 'a'])
    all.log.clip('c')
    all.log.result('strange', 'c')
    expect(order()).toEqual(curated)
  })

  it('episode by episode, in the order of priority and date, with its state', () => {
    all.log.episode('low', { priority: -1 })
    all.log.episode('early')
    all.log.episode('late')
    all.log.episode('done')
    all.log.episode('out')
    all.log.episode('stuck')
    all.log.episode('barred', { curator: 'spam' })
    all.log.clip('a')
    all.log.clip('b')
    for (const clip of ['a', 'b']) all.log.result('done', clip, { found: [1, 5] })
    all.log.onEpisode('out', 'Withdrawn', { curator: 'feed' })
    all.log.result('strange', 'a')
    all.log.fail('stuck', 'episode', { attempt: 5 })
    all.log.policy('CuratorExcluded', { curator: 'spam', reason: 'r' })
    all.log.onEpisode('low', 'Excluded', { reason: 'r' })
    all.log.lease('early', 'L', ['a'], { deadline: t(3600) })
    const lines = episodeProgress(all.views, t(100))
    expect(lines.map(({ episode, state }) => [episode, state])).toEqual([
      ['barred', 'excluded'],
      ['stuck', 'parked'],
      ['out', 'withdrawn'],
      ['done', 'done'],
      ['late', 'open'],
      ['early', 'open'],
      ['strange', 'unknown'],
      ['low', 'excluded'],
    ])
    expect(episodeProgress(all.views, t(100), { episode: 'early' })).toEqual([
      {
        episode: 'early',
        title: 'The episode early',
        priority: 0,
        pairs: 2,
        researched: 0,
        leased: 1,
        open: 1,
        found: 0,
        state: 'open',
      },
    ])
    expect(lines[3]).toMatchObject({ researched: 2, found: 2, open: 0 })
    const open = episodeProgress(all.views, t(100), { state: 'open', limit: 1, offset: 1 })
    expect(open.map(({ episode }) => episode)).toEqual(['early'])
    expect(lines).toHaveLength(countEpisodes(all.views))
    for (const [offset, line] of lines.entries())
      expect(episodeProgress(all.views, t(100), { offset, limit: 1 })).toEqual([line])
  })

  it('clip by clip: in how many episodes it was looked for and found', () => {
    curate(['E', 'F', 'G'], ['a', 'b', 'gone'])
    all.log.result('E', 'a', { found: [1, 5, 9] })
    all.log.result('F', 'a')
    all.log.result('E', 'gone', { found: [9] })
    all.log.result('E', 'strange')
    all.log.onClip('gone', 'Withdrawn', { curator: 'feed' })
    all.log.onClip('b', 'ClipFailed', {
      stage: 'decode',
      error: 'not audio',
      episode: 'E',
      researcher: 'r',
      attempt: 5,
    })
    const lines = clipProgress(all.views)
    expect(lines.map(({ clip, state }) => [clip, state])).toEqual([
      ['gone', 'withdrawn'],
      ['b', 'parked'],
      ['a', 'open'],
      ['strange', 'unknown'],
    ])
    expect(clipProgress(all.views, { clip: 'a' })).toEqual([
      {
        clip: 'a',
        title: 'The clip a',
        priority: 0,
        pairs: 3,
        researched: 2,
        open: 1,
        found: 1,
        occurrences: 3,
        state: 'open',
      },
    ])
    all.log.onEpisode('G', 'Withdrawn', { curator: 'feed' })
    expect(clipProgress(all.views, { state: 'done' })).toMatchObject([{ clip: 'a', pairs: 2, open: 0 }])
  })
})

describe('X2: decisions on capacity', () => {
  it('the newest first, each with its reason', () => {
    all.log.assessed({ researchers: 1, queued: 2, added: 2, stopped: 'surplus' })
    all.log.assessed({ researchers: 0, queued: 1, added: 0, stopped: 'no-researchers' })
    all.log.assessed({ researchers: 2, queued: 0, added: 0, stopped: 'no-work' })
    expect(decisions(all.views).map(({ number, position, says }) => [number, position, says])).toEqual([
      [3, 2, 'Added nothing; 2 researchers, 0 items waiting: nothing is open that could be handed out.'],
      [2, null, 'Added nothing; nobody is there to take the 1 item that waits.'],
      [1, -1, 'Added 2 items; 1 researcher, 2 items waiting: enough.'],
    ])
    expect(decisions(all.views, 1)).toHaveLength(1)
  })

  it('the latest thousand are kept', () => {
    for (let i = 0; i < 1003; i++)
      all.log.assessed({ researchers: i, queued: 0, added: 0, stopped: 'no-work' })
    const kept = decisions(all.views, 2000)
    expect(kept.map(({ number }) => number)).toEqual(Array.from({ length: 1000 }, (_, i) => 1003 - i))
    expect(kept[0]).toMatchObject({ researchers: 1002 })
  })
})
