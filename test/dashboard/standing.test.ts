import { describe, expect, it } from 'vitest'
import { standingOf } from '../../dashboard/src/pages/proof/standing.ts'

const now = new Date('2026-11-30T13:00:00Z')
const head = {
  ...{
    origin: 'o',
    size: '3',
    root: 'r',
    at: '2026-11-30T12:59:00Z',
    checkpoint: 'c',
    keys: [],
    policy: 'p',
  },
}
const at = '2026-11-30T12:00:00Z'
const well: Parameters<typeof standingOf>[0] = {
  ...{ state: 'sealed', wrong: null, unsealed: [], isSealing: true, head, check: null, witnessed: null },
}

describe('how the tree stands', () => {
  it('is well where it is sealed, goes on, and nothing was found against it', () => {
    expect(standingOf(well, now)).toEqual({ is: 'well', words: 'The log is sealed' })
    expect(standingOf({ ...well, check: { at, wholeAt: at, differences: [] } }, now).is).toBe('well')
  })

  it.each([
    ['a difference', { check: { at, wholeAt: at, differences: ['one'] } }, 'wrong'],
    ['a reason not to seal, or a doubt of a witness', { unsealed: ['it saw another history'] }, 'wrong'],
    ['a policy that cannot be read', { wrong: { reason: 'r', help: 'h' } }, 'needs somebody'],
    ['a log that is behind', { state: 'behind' }, 'wrong'],
    ['a tree that is damaged', { state: 'damaged', head: null }, 'wrong'],
    ['a tree without its head', { state: 'headless', head: null }, 'wrong'],
    ['a tree without its key', { state: 'keyless', head: null }, 'wrong'],
    [
      'a head of the day before yesterday',
      { head: { ...head, at: '2026-11-28T13:00:00Z' } },
      'needs somebody',
    ],
    ['a log that nobody seals', { isSealing: false }, 'needs somebody'],
    ['too few witnesses', { witnessed: { size: null, witnesses: [], isQuorum: false } }, 'needs somebody'],
    ['another home that has the tree', { state: 'elsewhere', head: null }, 'away'],
    ['a log that is not sealed', { state: 'none', head: null }, 'idle'],
  ] as const)('is not well with %s', (_, changes, is) => {
    expect(standingOf({ ...well, ...changes } as typeof well, now).is).toBe(is)
  })
})
