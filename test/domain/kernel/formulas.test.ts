import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { cellText } from '#src/domain/kernel/formulas.ts'

const signs = ['=', '+', '-', '@', '＝', '＋', '－', '＠']
const hidden = ['', ' ', '\t', '\n', '\r\n', '\v', '\u00a0', '\u3000', '\ufeff', '\u200b', '\0', ' \n\t ']

it('no cell begins with a sign that starts a formula, whatever stands in front of it', () => {
  for (const before of hidden)
    for (const sign of signs) expect(cellText(`${before}${sign}1+1`)).toBe(`'${before}${sign}1+1`)
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...signs, ...hidden, 'a', '1', "'") }), (text) => {
      const cell = cellText(text)
      expect([text, `'${text}`]).toContain(cell)
      expect(cell.replace(/[\s\p{Cc}\p{Cf}]/gu, '')).not.toMatch(/^[=+\-@＝＋－＠]/)
    }),
  )
})

it('other text stays as it is', () => {
  for (const text of ['', 'a=b', ' a', '1-2', "'=1", '日本', '{"a":"=1"}', 'a\n=1'])
    expect(cellText(text)).toBe(text)
  for (const text of ['\tx', '\nx', '\rx']) expect(cellText(text)).toBe(`'${text}`)
})
