import { describe, expect, it } from 'vitest'
import { by, given, history, observe, recorded, removed, t } from './commands.ts'

const withdraw = {
  type: 'WithdrawMisread',
  ...by(9),
  misread: 'backslash-name',
  file: 'letters/03.tif',
  reason: 'read by an earlier version',
  wasSeen: false,
} as const

describe('taking back an item of a misread name', () => {
  it('removes it with the reading that was wrong, and closes what is open', () => {
    const missing = history([recorded()], observe('--AA', 1))
    const { events, state } = given(...missing).when(withdraw)
    expect(events[0]).toEqual({
      type: 'ContentRemoved',
      data: {
        at: t(9),
        dueAt: t(9),
        reason: 'read by an earlier version',
        misread: 'backslash-name',
        file: 'letters/03.tif',
      },
    })
    expect(events.slice(1).every(({ type }) => type === 'ResolutionClosed')).toBe(true)
    expect(state.open).toEqual([])
  })

  it('is refused of an item that was seen, by itself or in a batch, and of one that was never recorded', () => {
    given(...history([recorded()], observe('AAAA', 1)))
      .when(withdraw)
      .gives('was-seen')
    given(...history([recorded()], observe('BAAA', 1)))
      .when(withdraw)
      .gives('was-seen')
    given(recorded())
      .when({ ...withdraw, wasSeen: true })
      .gives('was-seen')
    given().when(withdraw).gives('unknown-item')
  })

  it('is no event where the item is removed', () => {
    expect(given(recorded(), removed(2)).when(withdraw).events).toEqual([])
  })
})
