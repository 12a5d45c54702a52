import { beforeEach, describe, expect, it } from 'vitest'
import { defaultPolicy } from '#src/domain/research/policy/policy.ts'
import { episodeProgress } from '#src/projections/research/questions/episode-progress.ts'
import { parked } from '#src/projections/research/questions/parked.ts'
import { progress } from '#src/projections/research/questions/progress.ts'
import { type Folded, folded } from './folding.ts'
import { t } from './log.ts'

/* F22: an episode whose researchers are not heard of again. */

let all: Folded
beforeEach(() => {
  all = folded()
  all.log.episode('E')
  all.log.clip('a')
  all.log.clip('b')
})
/** A lease that is taken and runs out, as the last of so many. */
const silent = (lease: string, times?: number) => {
  all.log.lease('E', lease, ['a'])
  all.log.take('E', lease, 'r')
  return all.log.onEpisode('E', 'LeaseExpired', {
    lease,
    deadline: all.log.now(),
    ...(times !== undefined && { silent: times }),
  })
}
const settle = (attempts: number) =>
  all.log.policy('PolicySet', { version: 1, policy: { ...defaultPolicy, attempts }, reason: 'r' })
const state = () => episodeProgress(all.views, t(0)).map((line) => line.state)
const row = () => ({
  ...all.row('research-episodes', { episode: 'E' }),
  ...all.row('research-episode-results', { episode: 'E' }),
})

describe('an episode of which nothing was heard again', () => {
  it('X8: is parked with as many as there are attempts, and says why and what to do', () => {
    settle(2)
    silent('l1', 1)
    expect(row()).toMatchObject({ silent: 1, parkedAt: null })
    expect(state()).toEqual(['open'])
    expect(parked(all.views)).toEqual([])
    const { recordedAt } = silent('l2', 2)
    expect(row()).toMatchObject({ silent: 2, failures: 0, error: null, parkedAt: recordedAt })
    expect(state()).toEqual(['parked'])
    expect(progress(all.views, t(0)).parked).toBe(1)
    expect(parked(all.views)).toEqual([
      {
        subject: 'episode',
        episode: 'E',
        failures: 2,
        error:
          'the last 2 researchers who took it were not heard of again: its media may end whatever reads it',
        parkedAt: recordedAt,
        remedy: 'fonds do research.retry episode=E --actor <you> --reason <why>',
      },
    ])
    // One more, of a lease from before.
    silent('l3', 3)
    expect(parked(all.views)).toMatchObject([{ failures: 3, parkedAt: recordedAt }])
  })

  it('by the settings in force at the time: those that Fonds comes with, then others', () => {
    silent('l4', 4)
    settle(4)
    expect(state()).toEqual(['open'])
    silent('l5', 5)
    settle(9)
    expect(state()).toEqual(['parked'])
  })

  it('leases that ran out before any were counted park nothing', () => {
    settle(1)
    silent('l1')
    expect(row()).toMatchObject({ silent: 0, parkedAt: null })
  })

  it.each<[string, () => unknown]>([
    ['a person has it tried again', () => all.log.onEpisode('E', 'Retried', { reason: 'mended' })],
    ['a result comes after all', () => all.log.result('E', 'a')],
    ['somebody fails at a clip of it', () => all.log.fail('E', 'clip', { clip: 'b' })],
    [
      'somebody gives an item of it back',
      () => all.log.onEpisode('E', 'LeaseReleased', { lease: 'l0', researcher: 'r', reason: 'r' }),
    ],
  ])('is so no more when %s', (_, happens) => {
    settle(1)
    silent('l1', 1)
    expect(state()).toEqual(['parked'])
    happens()
    expect(row()).toMatchObject({ silent: 0, parkedAt: null })
    expect(state()).toEqual(['open'])
  })

  it('a revoked lease changes nothing of it', () => {
    settle(1)
    silent('l1', 1)
    all.log.onEpisode('E', 'LeaseRevoked', { lease: 'l0', reason: 'r' })
    expect(state()).toEqual(['parked'])
  })

  it('that failed too often as well stays parked for that, since then', () => {
    settle(1)
    const { recordedAt } = all.log.fail('E', 'episode', { attempt: 5 })
    silent('l1', 1)
    const failed = { error: 'answered 404', failures: 5, parkedAt: recordedAt }
    expect(parked(all.views)).toMatchObject([failed])
    all.log.onEpisode('E', 'LeaseReleased', { lease: 'l0', researcher: 'r', reason: 'r' })
    expect(parked(all.views)).toMatchObject([failed])
  })

  it('that failed, and is to be tried again, keeps that', () => {
    settle(1)
    all.log.fail('E', 'episode', { attempt: 1, retryAt: t(300) })
    silent('l1', 1)
    expect(parked(all.views)).toMatchObject([{ failures: 1, error: expect.stringContaining('the last 1 ') }])
    all.log.onEpisode('E', 'LeaseReleased', { lease: 'l0', researcher: 'r', reason: 'r' })
    expect(row()).toMatchObject({ failures: 1, error: 'answered 404', retryAt: t(300), parkedAt: null })
  })

  it('that then fails too often is parked since then', () => {
    settle(1)
    silent('l1', 1)
    const { recordedAt } = all.log.fail('E', 'episode', { attempt: 5 })
    expect(parked(all.views)).toMatchObject([{ failures: 5, error: 'answered 404', parkedAt: recordedAt }])
  })
})
