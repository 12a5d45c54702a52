import { expect, it } from 'vitest'
import { accountOf } from './traffic.ts'

it('what is wanted and not there is lost; what is there too often, or not wanted, is doubled', () => {
  const wanted = ['a', 'b', 'b', 'c']
  expect(accountOf({ wanted, found: [...wanted].reverse() })).toEqual({ lost: [], doubled: [] })
  expect(accountOf({ wanted, found: ['a', 'a', 'b', 'd'] })).toEqual({
    lost: ['b', 'c'],
    doubled: ['a', 'd'],
  })
})
