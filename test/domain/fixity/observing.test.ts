import { describe, expect, it } from 'vitest'
import type { Observe } from '#src/domain/fixity/commands.ts'
import type { FixityEvent } from '#src/domain/fixity/events.ts'
import { DAY, millisBetween } from '#src/domain/kernel/time.ts'
import { by, claimed, given, history, observe, only, policy, recorded, t, typesOf } from './commands.ts'
import { sha256, witnesses } from './witnesses.ts'

const decidedBy = (...args: Parameters<typeof observe>) => given(recorded()).when(observe(...args))
const failed = (minutes: number, more = {}) =>
  observe('AAAA', minutes, { content: { status: 'failed', error: 'connection reset' }, ...more })

describe('a decision', () => {
  it('holds the evidence as it was heard, and from whom', () => {
    const seen = observe('AABA', 1, { audit: undefined, worker: 'worker-1', observedAt: t(0.5) })
    const data = only(given(recorded()).when(seen).events, 'FixityDecided')
    expect(data).toMatchObject({ row: 'F5', pattern: 'AABA', outcome: 'failure', run: 1, attempt: 'first' })
    expect(data.observedAt).toBe(t(0.5))
    expect(data.evidence).toMatchObject({
      content: { status: 'read', source: 'worker-1', heardAt: t(0.5) },
      storage: { status: 'present', source: 'worker-1', heardAt: t(0.5) },
      index: { status: 'recorded', source: 'own index', heardAt: t(1) },
      audit: { status: 'recorded', source: 'manifest', heardAt: t(0), checksums: [sha256('A')] },
    })
  })

  it('is made of anything anybody sees, even where nothing was recorded', () => {
    const { events } = given().when(observe('AA--', 1, { audit: undefined }))
    expect(only(events, 'FixityDecided')).toMatchObject({
      row: 'F9',
      outcome: 'retry',
      evidence: { audit: { status: 'absent', source: 'audit log' } },
    })
  })

  it("takes an outside index before the observer's, and that before our own", () => {
    const spoken = history([recorded()], { type: 'RecordIndex', ...by(0), checksums: [sha256('B')] })
    const patternOf = (events: readonly FixityEvent[], more: Parameters<typeof observe>[2]) =>
      only(given(...events).when(observe('AAAA', 1, more)).events, 'FixityDecided').pattern
    expect(patternOf(spoken, {})).toBe('AABA')
    expect(patternOf(spoken, { index: { status: 'lagging', behind: '1', needed: '2' } })).toBe('AABA')
    expect(patternOf(spoken, { observedIndex: { status: 'absent' } })).toBe('AABA')
    expect(patternOf([recorded()], { observedIndex: { status: 'absent' } })).toBe('AA-A')
  })

  it('ends the run and the claim; the next run is due within the interval', () => {
    const { events, state } = given(recorded(), claimed(0, 1)).when(observe('AAAA', 1, { fence: 1 }))
    expect(typesOf(events)).toEqual(['FixityDecided'])
    expect(state).toMatchObject({ run: 2, failures: 0, queue: 'low', lastFence: 1 })
    expect(state.lease).toBeUndefined()
    const days = millisBetween(t(1), state.dueAt!) / DAY
    expect(days).toBeGreaterThanOrEqual(81)
    expect(days).toBeLessThanOrEqual(90)
  })

  it('spreads the next runs of items that were checked together', () => {
    const dueAt = (path: string) =>
      given(recorded()).when(observe('AAAA', 1, { item: { store: 'main', path } })).state.dueAt!
    const dues = Array.from({ length: 200 }, (_, i) => millisBetween(t(1), dueAt(`letters/${i}.tif`)) / DAY)
    expect(new Set(dues).size).toBe(200)
    expect(Math.min(...dues)).toBeLessThan(82)
    expect(Math.max(...dues)).toBeGreaterThan(89)
    expect(dueAt('letters/7.tif')).toBe(dueAt('letters/7.tif'))
  })

  it('counts the interval from when the content was seen', () => {
    const late = decidedBy('AAAA', 1, { observedAt: '2024-01-01T00:00:00.000Z' })
    expect(late.state.dueAt! < t(1)).toBe(true)
  })
})

describe('a record that may be in flight: F8', () => {
  const first = history([recorded()], observe('--AA', 1))
  const second = history(first, observe('--AA', 2))

  it('is looked at again at once, then after the lag, then counts', () => {
    expect(only(given(recorded()).when(observe('--AA', 1)).events, 'FixityDecided')).toMatchObject({
      attempt: 'first',
      outcome: 'retry',
      dueAt: t(1),
    })
    expect(only(given(...first).when(observe('--AA', 2)).events, 'FixityDecided')).toMatchObject({
      attempt: 'penultimate',
      outcome: 'retry',
      dueAt: t(7),
    })
    const last = given(...second).when(observe('--AA', 7))
    expect(typesOf(last.events)).toEqual(['FixityDecided', 'ResolutionOpened'])
    expect(only(last.events, 'FixityDecided')).toMatchObject({ attempt: 'last', outcome: 'failure' })
    expect(last.state).toMatchObject({ run: 2, failures: 0 })
  })

  it('ends well where the record arrives in between', () => {
    const removed = history(second, { type: 'RemoveContent', ...by(3), policy })
    const { events, state } = given(...removed).when(observe('----', 8, { audit: undefined }))
    expect(only(events, 'FixityDecided')).toMatchObject({ row: 'clause 7', outcome: 'nothing', dueAt: null })
    expect(state.dueAt).toBeNull()
  })

  it('does not use up an attempt when the same report comes again', () => {
    given(...first)
      .when(observe('--AA', 3, { observedAt: t(1) }))
      .gives([])
  })
})

describe('a reading that broke', () => {
  it('is a failed attempt at the back of the queue, and says nothing of the content', () => {
    given(recorded())
      .when(failed(1))
      .gives([
        {
          type: 'AttemptFailed',
          data: { run: 1, attempt: 'first', error: 'connection reset', dueAt: t(1), at: t(1) },
        },
      ])
  })

  it('parks the item at the third', () => {
    const twice = history([recorded()], failed(1), failed(2))
    const { events, state } = given(...twice).when(failed(3))
    expect(typesOf(events)).toEqual(['AttemptFailed', 'CheckParked'])
    expect(only(events, 'AttemptFailed')).toMatchObject({ attempt: 'last', dueAt: null })
    expect(state).toMatchObject({ parked: true, dueAt: null, run: 2 })
  })

  it('told twice counts once, and a parked item is not parked again', () => {
    const once = history([recorded()], failed(1))
    given(...once)
      .when(failed(5, { observedAt: t(1) }))
      .gives([])
    given(...history(once, failed(2), failed(3)))
      .when(failed(4))
      .gives([])
  })

  it('is one where fewer bytes came than the storage announces: never sour content', () => {
    const storage = { ...witnesses('BAAA').storage, size: 4 }
    const { events } = decidedBy('BAAA', 1, { storage })
    expect(typesOf(events)).toEqual(['AttemptFailed'])
    expect(only(events, 'AttemptFailed').error).toBe('3 bytes were read of the 4 that the storage announces')
  })

  it('on a parked item is forgotten once somebody reads it after all', () => {
    const parked = history([recorded()], failed(1), failed(2), failed(3))
    expect(given(...parked).when(observe('AAAA', 4)).state).toMatchObject({ parked: false, run: 3 })
  })
})

describe('a deferral', () => {
  const changing = (minutes: number) => observe('AAAA', minutes, { content: { status: 'changing' } })
  const lagging = (minutes: number) =>
    observe('AAAA', minutes, { index: { status: 'lagging', behind: '41', needed: '57' } })

  it.each([
    ['changing', changing],
    ['lagging', lagging],
  ])('%s waits and uses up no attempt', (row, command) => {
    const { events, state } = given(recorded()).when(command(1))
    expect(typesOf(events)).toEqual(['FixityDecided'])
    expect(only(events, 'FixityDecided')).toMatchObject({ row, outcome: 'deferred', dueAt: t(6) })
    expect(state).toMatchObject({ run: 1, failures: 0, dueAt: t(6) })
  })

  it('is bounded: content that never holds still ends as failed attempts', () => {
    const restless = Array.from({ length: 12 }, (_, i) => changing(i + 1))
    const waited = history([recorded()], ...restless)
    expect(typesOf(given(...waited).when(changing(13)).events)).toEqual(['AttemptFailed'])
  })
})

describe('a report that comes too late', () => {
  it('is refused under a fence that another claim has overtaken', () => {
    given(recorded(), claimed(0, 1), claimed(10, 2))
      .when(observe('AAAA', 11, { fence: 1 }))
      .gives('fenced')
  })

  it('is refused once the claim was given back, ran out, or reported', () => {
    const held = [recorded(), claimed(0, 1)]
    const report = observe('AAAA', 12, { fence: 1 })
    const back = { type: 'ReleaseClaim', ...by(1), fence: 1, reason: 'stopping' } as const
    given(...history(held, back))
      .when(report)
      .gives('fenced')
    given(...history(held, { type: 'ExpireClaim', ...by(11) }))
      .when(report)
      .gives('fenced')
    given(...history(held, report))
      .when(report)
      .gives('fenced')
  })

  it('is welcome past the deadline while nobody took the work', () => {
    expect(typesOf(given(recorded(), claimed(0, 1)).when(observe('AAAA', 12, { fence: 1 })).events)).toEqual([
      'FixityDecided',
    ])
  })

  it('is refused where something newer was decided from', () => {
    given(...history([recorded()], observe('AAAA', 5)))
      .when(observe('BAAA', 6, { observedAt: t(4) }))
      .gives('stale')
  })

  it('is welcome under a claim that still holds: it was granted after that decision, whatever clocks say', () => {
    const ahead = history([recorded()], observe('AAAA', 5, { observedAt: t(4) }))
    const { events } = given(...ahead, claimed(5, 1)).when(observe('BAAA', 6, { observedAt: t(3), fence: 1 }))
    expect(typesOf(events)).toContain('FixityDecided')
  })

  it('is welcome where what was decided from is still to come: that clock ran ahead', () => {
    const day = 24 * 60
    const ahead = history([recorded()], observe('AAAA', day))
    const { events, state } = given(...ahead).when(observe('BAAA', 6))
    expect(typesOf(events)).toContain('FixityDecided')
    expect(state.last?.observedAt).toBe(t(6))
    // Clocks that are kept right differ by moments: that is no reason to go back.
    given(...history([recorded()], observe('AAAA', 8)))
      .when(observe('BAAA', 6))
      .gives('stale')
  })
})

describe('what a bucket says beside its checksums', () => {
  const becauseOf = (storage: Observe['storage'], content: Observe['content']) => {
    const { events } = given(recorded()).when(observe('AAAA', 1, { storage, content }))
    return only(events, 'FixityDecided')
  }

  it('F8: a delete marker is told, and the object is missing all the same', () => {
    const found = becauseOf({ status: 'missing', isMarked: true }, { status: 'missing' })
    expect(found).toMatchObject({ row: 'F8', evidence: { storage: { isMarked: true } } })
    expect(found.because).toContain('A delete marker is in its place')
    const plain = becauseOf({ status: 'missing' }, { status: 'missing' })
    expect(plain.because).not.toContain('marker')
  })

  it('F1, clause 6: an archived object was not read: that is told, and without a comparable claim it is unverified', () => {
    const storage = { ...observe('AAAA', 0).storage, archived: 'GLACIER' } as Observe['storage']
    const found = becauseOf(storage, { status: 'not-attempted' })
    expect(found).toMatchObject({ row: 'F1', pattern: 'nAAA', outcome: 'success' })
    expect(found.because).toContain('archived (GLACIER), and was not read')
    const silent = { ...storage, checksums: [] } as Observe['storage']
    expect(becauseOf(silent, { status: 'not-attempted' })).toMatchObject({ outcome: 'unverified' })
  })
})

describe('a file that a symbolic link has replaced', () => {
  const link = (isLink?: boolean) => ({
    storage: { ...observe('AAAA', 0).storage, ...(isLink !== undefined && { isLink }) } as Observe['storage'],
  })
  const looks = (...seen: readonly (boolean | undefined)[]) =>
    history([recorded()], ...seen.map((isLink, i) => observe('AAAA', i + 1, link(isLink)))).flatMap(
      (event) => (event.type === 'FixityDecided' ? [event.data] : []),
    )
  const told = (...seen: readonly (boolean | undefined)[]) =>
    looks(...seen).map(({ becameLink }) => becameLink === true)

  it('is told at each look until a file is there again; the same bytes stay a success', () => {
    expect(told(false, true, true, false, true)).toEqual([false, true, true, false, true])
    const [, second] = looks(false, true)
    expect(second).toMatchObject({ outcome: 'success' })
    expect(second?.because).toContain('A symbolic link leads there now; an earlier look saw a file.')
  })

  it('is not told of what always was one, nor where no earlier look says', () => {
    expect(told(true, true)).toEqual([false, false])
    expect(told(undefined, true)).toEqual([false, false])
    expect(told(false, undefined)).toEqual([false, false])
  })

  it('is not told of another record', () => {
    const before = history([recorded()], observe('AAAA', 1, link(false)))
    const { events } = given(...before, recorded('A', 2)).when(observe('AAAA', 3, link(true)))
    expect(only(events, 'FixityDecided').becameLink).toBeUndefined()
  })
})
