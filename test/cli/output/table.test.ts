import { stripVTControlCharacters } from 'node:util'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Column } from '#src/projections/runtime/shown.ts'
import { table } from '../../../src/cli/output/table.ts'
import { displayWidth } from '../../../src/cli/output/width.ts'

const columns: readonly Column[] = [
  { key: 'path', title: 'Path', leaveOut: 'middle' },
  { key: 'size', title: 'Size' },
  { key: 'outcome', tone: (value) => (value === 'failure' ? 'bad' : undefined) },
]
const rows = [
  { path: 'letters/1912/a-long-name-of-a-scan.tif', size: 5, outcome: 'success' },
  { path: 'x', size: 12345, outcome: 'failure' },
  { path: 'y', size: null, outcome: null },
]

describe('a table', () => {
  it('puts numbers to the right and fits the terminal', () => {
    expect(table(rows, columns, { colour: false, width: 40 }).split('\n')).toEqual([
      'Path                       Size  outcome',
      'letters/1912…-a-scan.tif      5  success',
      'x                         12345  failure',
      'y',
      '',
    ])
  })

  it('cuts nothing that a command needs, up to three lines of the terminal', () => {
    const whole = [{ key: 'path', isWhole: true }, { key: 'outcome' }] as const
    const narrow = { colour: false, width: 20 }
    expect(table(rows, whole, narrow)).toContain(rows[0]!.path)
    const long = 'p'.repeat(61)
    expect(table([{ path: long, outcome: 'success' }], whole, narrow)).not.toContain(long)
  })

  it('is as wide as it likes where nobody looks', () => {
    expect(table(rows, columns, { colour: false })).toContain(rows[0]!.path)
  })

  it('colours what columns say, and only when asked', () => {
    expect(table(rows, columns, { colour: true })).toContain('\u001b[31mfailure\u001b[39m')
    const plain = table(rows, columns, { colour: false })
    expect(stripVTControlCharacters(plain)).toBe(plain)
  })

  it('shows values by their column, objects as JSON', () => {
    const shown = table(
      [{ a: 5, b: { c: 1n }, d: true }],
      [{ key: 'a', show: (n) => `${n}!` }, { key: 'b' }, { key: 'd' }],
      {
        colour: false,
      },
    )
    expect(shown).toBe(' a  b          d\n5!  {"c":"1"}  true\n')
  })

  it('says so where there is nothing', () => {
    expect(table([], columns, { colour: false })).toBe('nothing\n')
  })

  it('escapes what would act on the terminal, in headings too', () => {
    const shown = table([{ 'a\u001b[2J': 'gpj.\u202eexe\nnext' }], [{ key: 'a\u001b[2J' }], { colour: false })
    expect(shown).toBe('a\\u{1b}[2J\ngpj.\\u{202e}exe\\nnext\n')
  })

  it('never is wider than the terminal, whatever the text', () => {
    const word = fc.string({ unit: 'grapheme', maxLength: 60 })
    fc.assert(
      fc.property(
        fc.array(fc.record({ a: word, b: word, c: fc.nat(99_999) }), { minLength: 1 }),
        fc.integer({ min: 40, max: 120 }),
        (some, width) => {
          const lines = table(some, [{ key: 'a' }, { key: 'b', leaveOut: 'middle' }, { key: 'c' }], {
            colour: false,
            width,
          })
            .trimEnd()
            .split('\n')
          expect(lines.length).toBeLessThanOrEqual(some.length + 1)
          for (const line of lines) expect(displayWidth(line)).toBeLessThanOrEqual(width)
        },
      ),
    )
  })
})
