import { expect, it } from 'vitest'
import { html } from '../../../../src/domain/kernel/html.ts'
import { dotLabel, dotName } from '../../../../src/projections/matching/questions/dot-text.ts'

/** Char of XML 1.0, §2.2. */
const noCharacter = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/u

/** Each code point, halves of pairs parted so that they stay halves. */
const everything = Array.from({ length: 0x110000 / 0x1000 }, (_, block) =>
  Array.from({ length: 0x1000 }, (_, i) => String.fromCodePoint(block * 0x1000 + i)).join('.'),
)

it('whatever a text holds, pictures and pages hold characters of XML alone', () => {
  for (const text of everything)
    for (const shown of [
      html`<p>${text}</p>`.markup,
      dotName(text),
      dotLabel([text]),
      dotLabel([text], 'left'),
    ])
      expect(noCharacter.exec(shown)?.[0].codePointAt(0)?.toString(16)).toBe(undefined)
})
