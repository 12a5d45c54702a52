import { expect, it, vi } from 'vitest'
import { figuresIn, none, sum, tellFigures } from './figures.ts'

it('are read as they were told, among other lines, and summed', () => {
  const lines: string[] = []
  const log = vi
    .spyOn(console, 'log')
    .mockImplementation((line: string) => void lines.push(`\x1b[39m${line}`))
  try {
    tellFigures(7, { kills: 8, acknowledged: 1200 })
    console.log('8 kills in 20 s')
    tellFigures(8, { kills: 1, lost: 2, doubled: 3 })
  } finally {
    log.mockRestore()
  }
  expect(figuresIn(lines.join('\n'))).toEqual({ kills: 9, acknowledged: 1200, lost: 2, doubled: 3 })
  expect(sum(none, figuresIn('nothing'))).toEqual(none)
})
