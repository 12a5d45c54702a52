import { describe, expect, test } from 'vitest'
import {
  readSchedulerState,
  schedulerStateParts,
} from '#src/domain/research/selection/create-scheduler-state.ts'
import { given, with2x3 } from './given-scheduler.ts'
import { at } from './log-entries.ts'

describe('choosing', () => {
  test('L10, L11, L15: priority, then the first date, each on its own scale; ids where all is equal', () => {
    const { scheduler, curate } = given()
    curate('episode-b', { priority: -1 })
    curate('episode-c', { priority: -5 })
    curate('episode-a', { priority: -1 })
    curate('clip-low', { priority: 1, first: at(-9) })
    curate('clip-old', { priority: 99, first: at(-9) })
    curate('clip-new', { priority: 99, first: at(-5) })
    expect(scheduler.upcoming(9).map(({ episode }) => episode)).toEqual(['a', 'b', 'c'])
    expect(scheduler.select()?.clips).toEqual(['new', 'old', 'low'])
  })

  test('L12: an episode is a candidate whatever its age, curator or type', () => {
    const { scheduler, curate, result } = given()
    curate('clip-c')
    curate('episode-a', { first: '1970-01-01T00:00:00.000Z', curator: 'once' })
    curate('episode-b', { priority: -1_000_000, curator: 'another' })
    expect(scheduler.select()?.episode).toBe('a')
    result('a', 'c')
    expect(scheduler.select()?.episode).toBe('b')
  })

  test('L17: one episode an item, be its clips fewer than a lease may have', () => {
    const { scheduler, result } = with2x3()
    for (const clip of ['c-1', 'c-2']) result('e-1', clip)
    expect(scheduler.upcoming(9)).toEqual([
      { episode: 'e-1', clips: ['c-3'] },
      { episode: 'e-2', clips: ['c-1', 'c-2', 'c-3'] },
    ])
  })

  test('L21: clips by priority, then the newest first date, then the id', () => {
    const { scheduler, curate } = given()
    curate('episode-e')
    curate('clip-b', { first: at(-9) })
    curate('clip-a', { first: at(-9) })
    curate('clip-new', { first: at(-1) })
    curate('clip-top', { priority: 1, first: at(-99) })
    expect(scheduler.select()?.clips).toEqual(['top', 'new', 'a', 'b'])
  })

  test('F19: an episode and a clip that come at one instant, in whichever order, are a pair', () => {
    for (const streams of [
      ['episode-e', 'clip-c'],
      ['clip-c', 'episode-e'],
    ]) {
      const { scheduler, curate } = given()
      for (const stream of streams) curate(stream)
      expect(scheduler.select()).toEqual({ episode: 'e', clips: ['c'] })
    }
  })

  test('L16, F21: being seen again moves nobody up', () => {
    const { scheduler, say } = with2x3()
    say('episode-e-2', 'Recurated', { curatedAt: at(5000) })
    expect(scheduler.select()?.episode).toBe('e-1')
  })

  test('F20: a changed priority counts at the next choice, a person’s before the curator’s (X15)', () => {
    const { scheduler, say } = with2x3()
    say('episode-e-2', 'Prioritised', { priority: 3 })
    expect(scheduler.select()?.episode).toBe('e-2')
    expect(scheduler.explain('e-2').priority).toBe(3)
    say('episode-e-2', 'Prioritised', { priority: null })
    expect(scheduler.select()?.episode).toBe('e-1')
  })

  test('L22: 5 clips by items of 2 are 2, 2, 1 on the same episode', () => {
    const { scheduler, curate, setPolicy } = with2x3()
    curate('clip-c-4')
    curate('clip-c-5')
    setPolicy({ maxClips: 2 })
    expect(scheduler.policy().version).toBe(3)
    expect(scheduler.upcoming(4).map(({ episode, clips }) => [episode, clips.length])).toEqual([
      ['e-1', 2],
      ['e-1', 2],
      ['e-1', 1],
      ['e-2', 2],
    ])
  })

  test('L13, L14, L19, L20: what is done or leased in one episode is open in the other', () => {
    const { scheduler, result, grant } = with2x3()
    result('e-1', 'c-1')
    grant('e-1', 'lease-1', ['c-2', 'c-3'])
    expect(scheduler.select()).toEqual({ episode: 'e-2', clips: ['c-1', 'c-2', 'c-3'] })
    expect(scheduler.explain('e-1').reasons).toEqual([{ kind: 'leased', until: at(100) }])
    for (const clip of ['c-2', 'c-3']) result('e-1', clip)
    expect(scheduler.explain('e-1').reasons).toEqual([{ kind: 'researched' }])
    expect(scheduler.explain('e-1').clips).toEqual({ total: 3, researched: 3, leased: 0, open: 0 })
  })

  test('L18: a new clip opens every episode again, also where its result came first (F27)', () => {
    const { scheduler, curate, result } = with2x3()
    for (const clip of ['c-1', 'c-2', 'c-3', 'c-4'])
      for (const episode of ['e-1', 'e-2']) result(episode, clip)
    expect(scheduler.select()).toBeUndefined()
    curate('clip-c-4')
    expect(scheduler.select()).toBeUndefined()
    curate('clip-c-5')
    expect(scheduler.upcoming(9)).toEqual([
      { episode: 'e-1', clips: ['c-5'] },
      { episode: 'e-2', clips: ['c-5'] },
    ])
  })

  test('L23, F23: without clips, or without episodes, there is nothing', () => {
    const { scheduler, curate } = given()
    expect(scheduler.select()).toBeUndefined()
    curate('episode-e-1')
    expect(scheduler.select()).toBeUndefined()
    expect(scheduler.explain('e-1').reasons).toEqual([{ kind: 'no-clips' }])
    expect(scheduler.explain('nobody').reasons).toEqual([{ kind: 'unknown' }])
  })

  test('X7: pinned goes first, excluded not at all, nor what an excluded curator brought', () => {
    const { scheduler, say, curate } = with2x3()
    curate('episode-e-3', { curator: 'ben' })
    say('episode-e-2', 'Pinned', {})
    expect(scheduler.upcoming(9).map(({ episode }) => episode)).toEqual(['e-2', 'e-1', 'e-3'])
    expect(scheduler.explain('e-3').reasons).toEqual([{ kind: 'behind', next: 'e-2', places: 2 }])
    say('episode-e-2', 'Excluded', {})
    say('desk-research', 'CuratorExcluded', { curator: 'ben' })
    expect(scheduler.upcoming(9).map(({ episode }) => episode)).toEqual(['e-1'])
    expect(scheduler.explain('e-3').reasons).toEqual([{ kind: 'curator-excluded' }])
    expect(scheduler.explain('e-2').reasons).toEqual([{ kind: 'excluded' }])
    say('desk-research', 'CuratorIncluded', { curator: 'ben' })
    expect(scheduler.upcoming(9).map(({ episode }) => episode)).toEqual(['e-1', 'e-3'])
  })

  test('X7: what a pinned curator brought is first, episodes and clips, whoever brings them later', () => {
    const { scheduler, curate, say } = with2x3()
    curate('episode-e-9', { curator: 'ben', priority: -9 })
    curate('clip-c-9', { curator: 'ben', priority: -9 })
    expect(scheduler.upcoming(1)).toEqual([{ episode: 'e-1', clips: ['c-1', 'c-2', 'c-3', 'c-9'] }])
    say('desk-research', 'CuratorPinned', { curator: 'ben' })
    expect(scheduler.upcoming(1)).toEqual([{ episode: 'e-9', clips: ['c-9', 'c-1', 'c-2', 'c-3'] }])
    expect([scheduler.explain('e-9').pinned, scheduler.explain('e-1').pinned]).toEqual([true, false])
    say('desk-research', 'CuratorUnpinned', { curator: 'ben' })
    expect(scheduler.select()).toEqual({ episode: 'e-1', clips: ['c-1', 'c-2', 'c-3', 'c-9'] })
  })

  test('X11: with aging, having waited long outweighs a step of priority', () => {
    const { scheduler, curate, setPolicy } = with2x3()
    curate('episode-old', { priority: 0, first: at(-200) })
    curate('episode-urgent', { priority: 1, first: at(-50) })
    setPolicy({ agingSeconds: 100 })
    expect(scheduler.upcoming(2).map(({ episode }) => episode)).toEqual(['old', 'urgent'])
    setPolicy({ agingSeconds: 1000 })
    expect(scheduler.select()?.episode).toBe('urgent')
  })
})

describe('new clips (X12)', () => {
  const waiting = () => {
    const all = with2x3()
    all.setPolicy({ batchClips: 3, batchSeconds: 60 })
    for (const clip of ['c-1', 'c-2', 'c-3']) for (const episode of ['e-1', 'e-2']) all.result(episode, clip)
    all.curate('clip-c-4', { at: at(10) })
    return all
  }

  test('wait for others, but not for ever', () => {
    const { scheduler } = waiting()
    expect(scheduler.select()).toBeUndefined()
    expect(scheduler.explain('e-1').reasons).toEqual([{ kind: 'clips-wait', until: at(70) }])
    expect(scheduler.explainPair('e-1', 'c-4')).toEqual([{ kind: 'clip-waits', until: at(70) }])
    expect(scheduler.nextChange()).toBe(at(70))
    scheduler.advance(at(70))
    expect(scheduler.select()).toEqual({ episode: 'e-1', clips: ['c-4'] })
  })

  test('go when enough of them wait, or a person says so', () => {
    const { scheduler, curate, say } = waiting()
    curate('clip-c-5', { at: at(11) })
    expect(scheduler.select()).toBeUndefined()
    curate('clip-c-6', { at: at(12) })
    expect(scheduler.select()?.clips).toHaveLength(3)
    curate('clip-c-7', { at: at(13) })
    expect(scheduler.select()?.clips).toHaveLength(3 + 1)
    for (const episode of ['e-1', 'e-2'])
      scheduler.hold({ ...scheduler.select()!, lease: episode, deadline: at(99), notAfter: at(99) })
    curate('clip-c-8', { at: at(14) })
    expect(scheduler.select()).toBeUndefined()
    say('desk-research', 'WaitingClipsReleased', {})
    expect(scheduler.select()?.clips).toEqual(['c-8'])
  })

  test('come along where an episode is fetched anyway, and are not handed out there twice', () => {
    const { scheduler, say } = waiting()
    say('episode-e-2', 'Reopened', { clips: ['c-2'] })
    expect(scheduler.select()).toEqual({ episode: 'e-2', clips: ['c-2', 'c-4'] })
    scheduler.hold({ ...scheduler.select()!, lease: 'lease-1', deadline: at(900), notAfter: at(900) })
    scheduler.advance(at(70))
    expect(scheduler.upcoming(9)).toEqual([{ episode: 'e-1', clips: ['c-4'] }])
  })
})

test('L1: researchers count while they are present, and may have work', () => {
  const { scheduler, say } = given()
  say('researcher-a', 'ResearcherRegistered', { presentUntil: at(60) })
  say('researcher-b', 'ResearcherRegistered', { presentUntil: at(90) })
  expect(scheduler.readings().researchers).toBe(2)
  say('researcher-b', 'ResearcherDraining', {})
  expect(scheduler.readings().researchers).toBe(1)
  say('researcher-a', 'ResearcherBeat', { presentUntil: at(80) })
  scheduler.advance(at(79))
  expect(scheduler.readings().researchers).toBe(1)
  scheduler.advance(at(80))
  expect(scheduler.readings().researchers).toBe(0)
})

test('an event that cannot be read is told of in a sentence, and changes nothing', () => {
  const { scheduler, foldRaw, result } = with2x3()
  const before = scheduler.select()
  expect(foldRaw('episode-e-1', { type: 'ClipResearched', data: { clip: 'c-1' } })).toContain(
    'ClipResearched',
  )
  expect(foldRaw('episode-e-1', { type: 'Sung', data: {} })).toContain('Sung')
  expect(foldRaw('desk-research', { type: 'PolicySet', data: {} })).toContain('PolicySet')
  expect(foldRaw('work-1', { type: 'Sung', data: {} })).toBeUndefined()
  expect(scheduler.select()).toEqual(before)
  result('e-1', 'c-1')
  expect(scheduler.select()?.clips).toEqual(['c-2', 'c-3'])
})

describe('a snapshot', () => {
  const snapshot = () => {
    const { scheduler, grant, result } = with2x3()
    result('e-1', 'c-1')
    grant('e-1', 'lease-1', ['c-2'])
    scheduler.hold({ lease: 'lease-2', episode: 'e-1', clips: ['c-3'], deadline: at(100), notAfter: at(50) })
    return Buffer.concat([...schedulerStateParts(scheduler)])
  }

  test('leaves out what is only held', () => {
    const scheduler = readSchedulerState(snapshot())
    expect(scheduler?.select()).toEqual({ episode: 'e-1', clips: ['c-3'] })
    expect(scheduler?.size()).toEqual({ episodes: 2, clips: 3, researched: 1, leases: 1 })
  })

  test('is not read where a single bit of it is wrong, or some of it is missing', () => {
    const whole = snapshot()
    for (let byte = 0; byte < whole.length; byte++) {
      const damaged = Buffer.from(whole)
      damaged[byte]! ^= 1 << (byte % 8)
      expect(readSchedulerState(damaged), `byte ${byte}`).toBeUndefined()
    }
    for (const length of [0, 1, 15, 16, 20, whole.length - 4, whole.length - 1])
      expect(readSchedulerState(whole.subarray(0, length))).toBeUndefined()
    expect(readSchedulerState(Buffer.concat([whole, Buffer.alloc(4)]))).toBeUndefined()
  })
})
