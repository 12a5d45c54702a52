import { beforeEach, describe, expect, it } from 'vitest'
import type { FixityEvent } from '#src/domain/fixity/events.ts'
import { history, item, observe, policy, recorded, removed, t } from '../../domain/fixity/commands.ts'
import { type FixityViews, fixityViews } from './views.ts'

let views: FixityViews
beforeEach(() => {
  views = fixityViews()
})
const row = () => views.row()
const fold = (...events: readonly FixityEvent[]) => views.fold(events)
/** A check of recorded content whose witnesses show `pattern`, decided at its last attempt. */
const checked = (pattern: string) =>
  history([recorded()], observe(pattern, 1), observe(pattern, 2), observe(pattern, 3))

describe('a decision', () => {
  it('of success: verified, due after the interval, late only then', () => {
    views.fold(history([recorded()], observe('AAAA', 1)))
    const due = row()?.due
    expect(row()).toMatchObject({
      state: 'verified',
      lastChecked: t(1),
      lastVerified: t(1),
      available: due,
      lateAfter: due,
      row: 'F1',
    })
    expect(due! > t(60 * 24 * 0.9 * policy.intervalDays)).toBe(true)
  })

  it('of failure: failed; when it was last verified stays', () => {
    views.fold(history([recorded()], observe('AAAA', 1), observe('BAAA', 2)))
    expect(row()).toMatchObject({ state: 'failed', lastChecked: t(2), lastVerified: t(1), row: 'F2' })
  })

  it('that nothing can be compared: unverified', () => {
    views.fold(history([recorded()], observe('?AAA', 1)))
    expect(row()).toMatchObject({ state: 'unverified', lastChecked: t(1), lastVerified: null })
  })

  it('F8 to look again makes it suspect until it is decided, counts the attempt, and revives what was parked', () => {
    views.fold(history([recorded()], observe('AAAA', 1), observe('--AA', 2)))
    expect(row()).toMatchObject({ state: 'suspect', lastChecked: t(1), attempts: 1, row: 'F8', due: t(2) })
    views.fold([{ type: 'CheckParked', data: { run: 2, error: 'no route', at: t(3) } }])
    views.fold(
      history(
        [recorded(), { type: 'CheckParked', data: { run: 1, error: 'x', at: t(3) } }],
        observe('--AA', 4),
      ).slice(2),
    )
    expect(row()).toMatchObject({ parked: 0, available: t(4) })
  })

  it('to wait for content that does not hold still uses up no attempt', () => {
    views.fold(history([recorded()], observe('AAAA', 1, { content: { status: 'changing' } })))
    expect(row()).toMatchObject({ state: 'unchecked', lastChecked: null, attempts: 0, row: 'changing' })
  })

  it('F11 that there is nothing, of content that was removed: never due again', () => {
    views.fold(history([recorded()], observe('AAAA', 1)))
    fold(removed(2))
    views.fold(history([recorded(), removed(2)], observe('---x', 3)).slice(2))
    expect(row()).toMatchObject({
      state: 'withdrawn',
      removed: 1,
      due: null,
      available: null,
      lastChecked: t(3),
    })
  })

  it('that there is nothing, of what was never recorded: not expected', () => {
    views.fold(history([], observe('----', 1)))
    expect(row()).toMatchObject({ state: 'unrecorded', removed: 1, due: null })
  })

  it('of what is found without a record: expected, though nothing was there before', () => {
    views.fold(history([], observe('----', 1)))
    views.fold(history([], observe('AA--', 2), observe('AA--', 3), observe('AA--', 9)))
    expect(row()).toMatchObject({ state: 'failed', removed: 0, recordedAt: null, row: 'F9' })
  })

  it('that there is nothing, by an observer’s word alone: still expected, and late as before', () => {
    views.fold(history([recorded()], observe('AAAA', 1)))
    const { lateAfter } = row()!
    // As it was decided before observers' words were compared with our record.
    views.fold(history([], observe('----', 2)))
    expect(row()).toMatchObject({ removed: 0, state: 'verified', lateAfter, lastVerified: t(1) })
  })
})

describe('the bit log', () => {
  it('holds finished checks alone, with what was recorded and found', () => {
    views.fold(checked('BBAA'))
    const log = views.rows('fixity-bit-log')
    expect(log).toMatchObject([{ ...item, at: t(3), result: 'FAILURE', row: 'F10', pattern: 'AABB' }])
    expect(log[0]?.recorded).toMatch(/^sha-256:a+$/)
    expect(log[0]?.found).toMatch(/^sha-256:/)
    expect(log[0]?.found).not.toBe(log[0]?.recorded)
  })

  it('has both records where the observer found another', () => {
    const seen = (minutes: number) => observe('AAAB', minutes)
    views.fold(history([recorded()], seen(1), seen(2), seen(8)))
    expect(views.rows('fixity-bit-log')).toMatchObject([
      { row: 'F6', recorded: expect.stringMatching(/^sha-256:a+; by observer: sha-256:b+$/) },
    ])
  })

  it('says what stood in place of a checksum', () => {
    views.fold(checked('--AA'))
    expect(views.rows('fixity-bit-log')).toMatchObject([{ result: 'FAILURE', found: 'missing' }])
  })

  it('has nothing of a delete that is fully processed', () => {
    views.fold(history([recorded(), removed(1)], observe('---x', 2)))
    expect(views.rows('fixity-bit-log')).toEqual([])
  })
})
