import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { IndexingEvent } from '#src/domain/indexing/events.ts'
import { DAY, MINUTE } from '#src/domain/kernel/time.ts'
import {
  by,
  claim,
  claimed,
  digest,
  discovered,
  failure,
  given,
  history,
  indexed,
  place,
  policy,
  report,
  salvaged,
  sight,
  success,
  t,
} from './commands.ts'

const lose = (minutes: number, of = digest) =>
  ({ type: 'LoseLines', ...by(minutes), digest: of, reason: 'its run is gone', policy }) as const
const dayMinutes = DAY / MINUTE

describe('lines that the index could not take', () => {
  it('W18 are a failure: the file is read again', () => {
    const lost = given(discovered, claimed(0, 1), indexed(1, 1)).when(lose(9))
    lost.gives([
      {
        type: 'IndexingFailed',
        data: { failures: 1, code: 'lost', reason: 'its run is gone', dueAt: t(24), at: t(9) },
      },
    ])
    given(discovered, claimed(0, 1), indexed(1, 1), ...lost.events)
      .when(lose(9))
      .gives([])
  })

  it('W8 are not said to be in the index: a file is new again, or its former lines are', () => {
    const again = (...before: readonly IndexingEvent[]) =>
      given(...history(before, lose(22), { type: 'Reset', ...by(23), reason: 'again' })).state
    const read = [claimed(20, 2), indexed(21, 2)]
    expect(again(discovered, ...read)).toMatchObject({ status: 'new', hasLines: false })
    const former = [discovered, claimed(0, 1), indexed(1, 1)]
    expect(again(...history(former, sight(5, place(200, -30))), ...read)).toMatchObject({
      status: 'changed',
      hasLines: true,
    })
  })

  it('that were salvaged are salvaged again', () => {
    const asked = history([discovered], claim(0), report(1, 1, failure), {
      type: 'Salvage',
      ...by(20),
      reason: 'what is good of it',
    })
    const read = history(asked, claim(20), report(21, 2, salvaged))
    const lost = history(read, lose(22))
    expect(lost).toHaveLength(read.length + 1)
    expect(given(...lost).state).toMatchObject({ salvages: true, status: 'failed' })
  })

  it('are of no matter where others were recorded since, or the file is withdrawn or to be read in any case', () => {
    const read = [discovered, claimed(0, 1), indexed(1, 1)]
    given(...read)
      .when(lose(9, 'f'.repeat(64)))
      .gives([])
    for (const command of [
      { type: 'Withdraw', ...by(2) },
      { type: 'Reset', ...by(2), reason: 'again' },
    ] as const)
      given(...history(read, command))
        .when(lose(9))
        .gives([])
    given().when(lose(9)).gives([])
  })
})

describe('lines that the index cannot take again and again', () => {
  const read = (minutes: number, fence: number) => [claimed(minutes, fence), indexed(minutes + 1, fence)]
  const lost = (minutes: number, failures: number): IndexingEvent => ({
    type: 'IndexingFailed',
    data: { failures, code: 'lost', reason: 'its run is gone', dueAt: t(minutes + 15), at: t(minutes) },
  })
  const last = (events: readonly IndexingEvent[]) => events.at(-1)!

  it('W8, W19 are counted on, and the file is parked with the third time', () => {
    const twice = [discovered, ...read(0, 1), lost(2, 1), ...read(20, 2)]
    const second = given(...twice).when(lose(22)).events
    expect(second).toMatchObject([
      { type: 'IndexingFailed', data: { failures: 2, code: 'lost', dueAt: t(37) } },
    ])
    const why =
      'the index could not take its lines 3 times in a row: look at the disk of FONDS_INDEXING_FOLDER. The last time: its run is gone'
    given(...twice, ...second, ...read(40, 3))
      .when(lose(42))
      .gives([
        { type: 'IndexingFailed', data: { failures: 3, code: 'lost', reason: why, dueAt: null, at: t(42) } },
        { type: 'FileParked', data: { by: 'failures', reason: why, at: t(42) } },
      ])
  })

  it('W8 are counted in events of before, which say 1 each time', () => {
    const before = [1, 2, 3, 4].flatMap((n) => [...read(n * 20, n), lost(n * 20 + 2, 1)])
    const { events } = given(discovered, ...before, ...read(100, 5)).when(lose(102))
    expect(events).toMatchObject([{ data: { failures: 5 } }, { type: 'FileParked' }])
  })

  it('W8 other failures in between neither add to them nor take from them', () => {
    const between: IndexingEvent = {
      type: 'IndexingFailed',
      data: { failures: 2, code: 'unreadable', reason: 'EIO', dueAt: t(30), at: t(20) },
    }
    given(discovered, ...read(0, 1), lost(2, 1), claimed(18, 2), between, ...read(40, 3))
      .when(lose(42))
      .gives([expect.objectContaining({ data: expect.objectContaining({ failures: 2, dueAt: t(57) }) })])
  })

  it('W8 are counted from one where the index held the lines for more than a day', () => {
    const losses = [discovered, ...read(0, 1), lost(2, 1), ...read(20, 2), lost(22, 2)]
    const held = (minutes: number) => given(...losses, ...read(40, 3)).when(lose(41 + minutes)).events
    expect(held(dayMinutes).at(0)).toMatchObject({ data: { failures: 3 } })
    expect(held(dayMinutes + 1)).toEqual([lost(41 + dayMinutes + 1, 1)])
  })

  it.each([
    ['W20 a person rescues it', { type: 'Rescue', ...by(50), reason: 'another disk' }],
    ['a person has it indexed anew', { type: 'Reset', ...by(50), reason: 'another disk' }],
    ['a person has it salvaged', { type: 'Salvage', ...by(50), reason: 'another disk' }],
    ['it changes', sight(50, place(200, 30))],
  ] as const)('are counted from one when %s', (_, command) => {
    const parked = [discovered, ...read(0, 1), lost(2, 1), ...read(20, 2), lost(22, 2), ...read(40, 3)]
    const again = history(parked, lose(42), command, claim(60), report(61, 4, success), lose(62))
    expect(last(again)).toEqual(lost(62, 1))
  })

  it('W20 that were salvaged are salvaged again once the file is rescued', () => {
    const loseAll = { ...lose(0), digest: salvaged.digest }
    let events = history([discovered], claim(0), report(1, 1, failure), {
      type: 'Salvage',
      ...by(20),
      reason: 'what is good of it',
    })
    for (const [i, minutes] of [20, 40, 60].entries())
      events = history(events, claim(minutes), report(minutes + 1, i + 2, salvaged), {
        ...loseAll,
        at: t(minutes + 2),
      })
    expect(last(events)).toMatchObject({ type: 'FileParked' })
    const rescued = history(events, { type: 'Rescue', ...by(80), reason: 'another disk' })
    expect(given(...rescued).state).toMatchObject({ salvages: true, losses: 0 })
  })

  it('W8, W9 are never taken more often than a file may fail, however long each time', () => {
    const minutes = fc.integer({ min: 0, max: 2 * dayMinutes })
    fc.assert(
      fc.property(fc.array(minutes, { maxLength: 12 }), (holds) => {
        let now = 0
        let losses = 0
        let events: readonly IndexingEvent[] = [discovered]
        for (const [i, held] of holds.entries()) {
          events = history(events, claim(now), report(now, i + 1, success), lose(now + held))
          losses = held <= dayMinutes ? losses + 1 : 1
          expect(events.filter(({ type }) => type === 'FileParked')).toHaveLength(losses === 3 ? 1 : 0)
          if (losses === policy.maxAttempts) return
          expect(last(events)).toMatchObject({ data: { failures: losses, code: 'lost' } })
          now += held + 15
        }
      }),
    )
  })
})
