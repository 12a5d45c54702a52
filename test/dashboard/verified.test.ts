import { expect, it } from 'vitest'
import { isVerified, type Looked, verifiedOf } from '../../dashboard/src/pages/proof/verified.ts'

/* Q48: a list says of an event that it is verified only where the proof is of what the list shows. */

const listed = { position: '7', type: 'ItemVerified', stream: 'item-1', revision: '3' }
const outcome = (event: Omit<typeof listed, 'position'> | null, isPassed = true): Looked => ({
  kind: 'checked',
  answer: { event },
  checked: { isVerified: isPassed },
})

it('an event that is another than the list shows is not verified', () => {
  expect(isVerified(outcome(listed), listed)).toBe(true)
  for (const other of [{ type: 'ItemLost' }, { stream: 'item-2' }, { revision: '4' }])
    expect(isVerified(outcome({ ...listed, ...other }), listed)).toBe(false)
  expect(isVerified(outcome(null), listed)).toBe(false)
  expect(isVerified(outcome(listed, false), listed)).toBe(false)
  expect(isVerified({ kind: 'asking' }, listed)).toBe(false)
  expect(isVerified(undefined, listed)).toBe(false)
})

it('nothing is said of a list before all were looked at, nor of an empty one', () => {
  expect(verifiedOf([], new Map())).toBeUndefined()
  expect(verifiedOf([listed], new Map())).toBeUndefined()
  expect(verifiedOf([listed], new Map([['7', outcome(listed)]]))).toBe(1)
  expect(verifiedOf([listed], new Map([['7', outcome(null)]]))).toBe(0)
})
