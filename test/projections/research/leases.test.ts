import { beforeEach, describe, expect, it } from 'vitest'
import { holdsBit } from '#src/projections/research/bits.ts'
import { liveLeases } from '#src/projections/research/questions/live-leases.ts'
import { researchers } from '#src/projections/research/questions/researchers.ts'
import { type Folded, folded } from './folding.ts'
import { t } from './log.ts'

let all: Folded
beforeEach(() => {
  all = folded()
  all.log.episode('E', { title: 'Episode one' })
  for (const clip of ['a', 'b', 'c']) all.log.clip(clip)
  all.log.lease('E', 'L', ['a', 'b'], { deadline: t(3600), notAfter: t(1800) })
})
const lease = (id = 'L') => all.row('research-leases', { lease: id })
/** Whether each of its two clips is done. */
const done = () => [0, 1].map((place) => holdsBit(lease()?.done as string, place))
const clips = () => all.row('research-lease-clips', { lease: 'L' })?.clips

describe('leases', () => {
  it('L24: id, episode, clips and deadline; then who has it', () => {
    expect(lease()).toMatchObject({ episode: 'E', state: 'waiting', clipCount: 2, deadline: t(3600) })
    expect(clips()).toEqual(['a', 'b'])
    all.log.take('E', 'L', 'listener-1')
    expect(lease()).toMatchObject({ state: 'taken', researcher: 'listener-1', takenAt: t(5) })
    expect(all.row('research-researchers')).toMatchObject({ taken: 1 })
  })

  it('L33, F28: results extend it; only its own clips are done in it, each once', () => {
    const extended = (seconds: number) => ({ kind: 'extended', deadline: t(seconds) }) as const
    all.log.result('E', 'a', { lease: 'L', effect: extended(4000) })
    all.log.result('E', 'a', { lease: 'L', effect: extended(4001), repeat: true })
    all.log.result('E', 'c', { lease: 'L', effect: extended(3900), outsideLease: true })
    expect(lease()).toMatchObject({ doneCount: 1, deadline: t(4001), lastResultAt: t(7) })
    expect(done()).toEqual([true, false])
    all.log.result('E', 'b', { lease: 'L', effect: extended(4002) })
    expect(lease()).toMatchObject({ doneCount: 2 })
    expect(done()).toEqual([true, true])
  })

  it('L36: a final ends it, and its lists are dropped; nothing changes it afterwards (L37)', () => {
    all.log.result('E', 'a', { lease: 'L', effect: { kind: 'revoked' }, final: true })
    const ended = { state: 'ended', ended: 'finished', endedAt: t(5), done: null, doneCount: 1 }
    expect(lease()).toMatchObject(ended)
    expect(clips()).toBeUndefined()
    all.log.result('E', 'b', { lease: 'L', effect: { kind: 'none', because: 'ended' } })
    all.log.take('E', 'L', 'listener-2')
    all.log.onEpisode('E', 'LeaseExpired', { lease: 'L', deadline: t(3600) })
    expect(lease()).toMatchObject({ ...ended, researcher: null })
  })

  it.each([
    ['LeaseReleased', { researcher: 'listener-1', reason: 'going down' }, 'released', 'going down'],
    ['LeaseRevoked', { reason: 'hung' }, 'revoked', 'hung'],
    ['LeaseExpired', { deadline: t(3600) }, 'expired', null],
  ] as const)('%s ends it', (type, data, ended, reason) => {
    all.log.record('episode-E', type, { lease: 'L', ...data })
    expect(lease()).toMatchObject({ state: 'ended', ended, reason, done: null })
    expect(clips()).toBeUndefined()
  })

  it('X8: a failure of the episode ends it as failed; those of clips and pairs are counted', () => {
    all.log.fail('E', 'pair', { clip: 'a', lease: 'L', attempt: 1, retryAt: t(99) })
    expect(lease()).toMatchObject({ state: 'waiting', failedCount: 1 })
    all.log.fail('E', 'episode', { lease: 'L', attempt: 1, retryAt: t(99), effect: { kind: 'revoked' } })
    expect(lease()).toMatchObject({ state: 'ended', ended: 'failed', failedCount: 1 })
  })

  it('L28: an item that nobody took in time has lapsed, and holds its pairs', () => {
    all.log.onEpisode('E', 'WorkItemLapsed', { lease: 'L' })
    expect(lease()).toMatchObject({ state: 'lapsed' })
    expect(clips()).toEqual(['a', 'b'])
  })

  it('X6: its researcher says that work goes on', () => {
    all.log.onEpisode('E', 'LeaseExtended', { lease: 'L', researcher: 'listener-1', deadline: t(5000) })
    expect(lease()).toMatchObject({ deadline: t(5000) })
  })
})

describe('X2: live leases', () => {
  it('age, remaining time, holder, done and open clips', () => {
    all.log.take('E', 'L', 'listener-1')
    all.log.result('E', 'b', { lease: 'L', effect: { kind: 'extended', deadline: t(3700) } })
    expect(liveLeases(all.views, t(104))).toEqual([
      {
        lease: 'L',
        episode: 'E',
        title: 'Episode one',
        state: 'taken',
        researcher: 'listener-1',
        clips: 2,
        done: 1,
        open: 1,
        ageSeconds: 100,
        remainingSeconds: 3596,
        deadline: t(3700),
      },
    ])
  })

  it('F10: a clip that came in by another way is done in it too', () => {
    all.log.result('E', 'a')
    expect(liveLeases(all.views, t(9))).toMatchObject([{ done: 1, open: 1 }])
  })

  it('L29: time alone ends them, and their items, written down or not; the first to end comes first', () => {
    all.log.lease('E', 'M', ['c'], { deadline: t(3000), notAfter: t(2000) })
    const states = (now: string) => liveLeases(all.views, now).map(({ lease, state }) => [lease, state])
    expect(states(t(1799))).toEqual([
      ['M', 'waiting'],
      ['L', 'waiting'],
    ])
    expect(states(t(1800))).toEqual([
      ['M', 'waiting'],
      ['L', 'lapsed'],
    ])
    expect(states(t(3000))).toEqual([['L', 'lapsed']])
    expect(states(t(3600))).toEqual([])
  })
})

describe('X5: researchers', () => {
  const states = (now: string) =>
    Object.fromEntries(researchers(all.views, now).map(({ researcher, state }) => [researcher, state]))

  it('are idle, busy, draining, blocked, silent or gone', () => {
    for (const id of ['idle', 'busy', 'draining', 'blocked', 'silent', 'left'])
      all.log.researcher(id, 'ResearcherRegistered', {
        presentUntil: t(id === 'silent' ? 50 : 500),
        version: '1',
      })
    all.log.take('E', 'L', 'busy')
    all.log.researcher('draining', 'ResearcherDraining', {})
    all.log.researcher('blocked', 'ResearcherBlocked', { reason: 'wrong results' })
    all.log.researcher('left', 'ResearcherGone', { because: 'left' })
    all.log.result('E', 'a', { researcher: 'stranger' })
    const expected = {
      idle: 'idle',
      busy: 'busy',
      draining: 'draining',
      blocked: 'blocked',
      silent: 'silent',
      left: 'gone',
      stranger: 'gone',
    }
    expect(states(t(50))).toEqual(expected)
    all.log.researcher('silent', 'ResearcherGone', { because: 'silent' })
    expect(states(t(60))).toEqual(expected)
    expect(all.row('research-researchers', { researcher: 'silent' })).toMatchObject({
      goneAt: expect.any(String),
    })
    expect(researchers(all.views, t(60)).find(({ researcher }) => researcher === 'busy')).toEqual({
      researcher: 'busy',
      state: 'busy',
      leases: 1,
      results: 0,
      found: 0,
      failures: 0,
      version: '1',
    })
  })

  it('are there again: registered anew, they take work; unblocked, too', () => {
    all.log.researcher('r', 'ResearcherRegistered', { presentUntil: t(500) })
    all.log.researcher('r', 'ResearcherDraining', {})
    all.log.researcher('r', 'ResearcherGone', { because: 'left' })
    all.log.researcher('r', 'ResearcherRegistered', { presentUntil: t(500) })
    expect(states(t(400))).toEqual({ r: 'idle' })
    all.log.researcher('r', 'ResearcherBeat', { presentUntil: t(600) })
    expect(states(t(599))).toEqual({ r: 'idle' })
    all.log.researcher('r', 'ResearcherBlocked', { reason: 'x' })
    all.log.researcher('r', 'ResearcherUnblocked', { reason: 'y' })
    expect(states(t(599))).toEqual({ r: 'idle' })
    expect(all.row('research-researchers', { researcher: 'r' })).toMatchObject({
      goneAt: null,
      blockedReason: null,
    })
  })
})
