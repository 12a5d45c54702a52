import { describe, expect, test } from 'vitest'
import { with2x3 } from './given-scheduler.ts'
import { at } from './log-entries.ts'

describe('leases', () => {
  test('L29: time alone ends a lease, and its item before that (L2, L28)', () => {
    const { scheduler, grant } = with2x3()
    grant('e-1', 'lease-1', ['c-1', 'c-2', 'c-3'])
    expect(scheduler.readings().queued).toBe(1)
    expect(scheduler.nextChange()).toBe(at(50))
    scheduler.advance(at(50))
    expect(scheduler.readings().queued).toBe(0)
    expect(scheduler.select()?.episode).toBe('e-2')
    expect(scheduler.nextChange()).toBe(at(100))
    scheduler.advance(at(100))
    expect(scheduler.select()?.episode).toBe('e-1')
    expect(scheduler.size().leases).toBe(0)
  })

  test('L33, L34, F13: a result moves the deadline of the whole lease, never back', () => {
    const { scheduler, grant, result } = with2x3()
    grant('e-1', 'lease-1', ['c-1', 'c-2', 'c-3'])
    result('e-1', 'c-1', { lease: 'lease-1', effect: { kind: 'extended', deadline: at(200) } })
    result('e-1', 'c-1', { lease: 'lease-1', effect: { kind: 'extended', deadline: at(150) } })
    scheduler.advance(at(199))
    expect(scheduler.explainPair('e-1', 'c-2')).toEqual([
      { kind: 'leased', lease: 'lease-1', until: at(200) },
    ])
    scheduler.advance(at(200))
    expect(scheduler.select()).toEqual({ episode: 'e-1', clips: ['c-2', 'c-3'] })
  })

  test('L36, F17: a final frees the open clips', () => {
    const { scheduler, grant, result } = with2x3()
    grant('e-1', 'lease-1', ['c-1', 'c-2', 'c-3'])
    result('e-1', 'c-2', { lease: 'lease-1', final: true, effect: { kind: 'revoked' } })
    expect(scheduler.select()).toEqual({ episode: 'e-1', clips: ['c-1', 'c-3'] })
    expect(scheduler.readings().queued).toBe(0)
  })

  test('L38: the end of one lease leaves a pair alone that another holds', () => {
    const { scheduler, grant, say } = with2x3()
    grant('e-1', 'lease-1', ['c-1', 'c-2'])
    grant('e-1', 'lease-2', ['c-2', 'c-3'])
    say('episode-e-1', 'LeaseRevoked', { lease: 'lease-1' })
    expect(scheduler.select()).toEqual({ episode: 'e-1', clips: ['c-1'] })
  })

  test('L38: a lease is one of its episode; what the stream of another says of its id means nothing', () => {
    const { scheduler, grant, say, result } = with2x3()
    grant('e-1', 'lease-1', ['c-1', 'c-2', 'c-3'])
    result('e-2', 'c-1', { lease: 'lease-1', effect: { kind: 'extended', deadline: at(200) } })
    say('episode-e-2', 'WorkItemTaken', { lease: 'lease-1', researcher: 'r-1' })
    say('episode-e-2', 'LeaseRevoked', { lease: 'lease-1' })
    expect(scheduler.readings().queued).toBe(1)
    expect(scheduler.explainPair('e-1', 'c-1')).toEqual([
      { kind: 'leased', lease: 'lease-1', until: at(100) },
    ])
  })

  test('F26: an extension that was written in time revives what our clock took for expired', () => {
    const { scheduler, grant, result } = with2x3()
    grant('e-1', 'lease-1', ['c-1', 'c-2'])
    scheduler.advance(at(100))
    result('e-1', 'c-1', { lease: 'lease-1', effect: { kind: 'extended', deadline: at(200) } })
    expect(scheduler.select()).toEqual({ episode: 'e-1', clips: ['c-3'] })
  })

  test('F2: what is held counts at once; its event changes nothing more, and dropping it gives it back', () => {
    const { scheduler, grant } = with2x3()
    const choice = scheduler.select()!
    const terms = { ...choice, deadline: at(100), notAfter: at(50) }
    scheduler.hold({ ...terms, lease: 'lease-1' })
    expect([scheduler.select()?.episode, scheduler.readings().queued]).toEqual(['e-2', 1])
    scheduler.unhold('lease-1')
    expect([scheduler.select()?.episode, scheduler.readings().queued]).toEqual(['e-1', 0])
    scheduler.hold({ ...terms, lease: 'lease-1' })
    grant('e-1', 'lease-1', [...choice.clips])
    scheduler.unhold('lease-1')
    expect([scheduler.select()?.episode, scheduler.readings().queued, scheduler.size().leases]).toEqual([
      'e-2',
      1,
      1,
    ])
  })
})

describe('failures', () => {
  const failed = { stage: 'download', error: '404', researcher: 'r-1', effect: { kind: 'revoked' } }

  test('F22: a failing episode lets others go first until its time has come, or a person says so', () => {
    const { scheduler, say } = with2x3()
    say('episode-e-1', 'ResearchFailed', { ...failed, subject: 'episode', attempt: 1, retryAt: at(60) })
    expect(scheduler.select()?.episode).toBe('e-2')
    expect(scheduler.explain('e-1').reasons).toEqual([{ kind: 'backing-off', until: at(60) }])
    scheduler.advance(at(60))
    expect(scheduler.select()?.episode).toBe('e-1')
    say('episode-e-1', 'ResearchFailed', { ...failed, subject: 'episode', attempt: 2 })
    expect(scheduler.explain('e-1').reasons).toEqual([{ kind: 'parked' }])
    say('episode-e-1', 'Retried', {})
    expect(scheduler.select()?.episode).toBe('e-1')
  })

  test('X8: a failing pair, and a failing clip, hold back no more than themselves', () => {
    const { scheduler, say } = with2x3()
    say('episode-e-1', 'ResearchFailed', {
      ...failed,
      subject: 'pair',
      clip: 'c-1',
      attempt: 1,
      retryAt: at(60),
    })
    say('clip-c-2', 'ClipFailed', { ...failed, episode: 'e-1', attempt: 5 })
    expect(scheduler.select()).toEqual({ episode: 'e-1', clips: ['c-3'] })
    expect(scheduler.explainPair('e-1', 'c-1')).toEqual([{ kind: 'pair-backing-off', until: at(60) }])
    expect(scheduler.explainPair('e-2', 'c-1')).toEqual([{ kind: 'open' }])
    expect(scheduler.explainPair('e-2', 'c-2')).toEqual([{ kind: 'clip-parked' }])
    scheduler.advance(at(60))
    expect(scheduler.select()?.clips).toEqual(['c-1', 'c-3'])
  })

  test('X9: only what that engine did is researched again', () => {
    const { scheduler, say, result } = with2x3()
    result('e-1', 'c-1')
    result('e-1', 'c-2', { engine: { name: 'correlator', version: '2', settings: '' } })
    result('e-1', 'c-1', { engine: { name: 'correlator', version: '2', settings: '' }, repeat: true })
    result('e-1', 'c-3')
    say('episode-e-1', 'Reopened', { engines: ['correlator 1'], clips: ['c-1', 'c-2'] })
    expect(scheduler.select()).toEqual({ episode: 'e-1', clips: ['c-1'] })
    expect(scheduler.size().researched).toBe(2)
  })
})
