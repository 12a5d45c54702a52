import { expect, it } from 'vitest'
import { away, exitCodeOf, refused, usage } from '../../../src/cli/output/exit-codes.ts'

it('every outcome has its exit code', () => {
  const outcomes = [undefined, refused('no such item'), usage('no --actor', 'name one'), away('no broker')]
  expect(outcomes.map(exitCodeOf)).toEqual([0, 1, 2, 3])
  expect(outcomes[2]).toEqual({ kind: 'usage', message: 'no --actor', hint: 'name one' })
  expect(outcomes[3]).toEqual({ kind: 'away', message: 'no broker' })
})
