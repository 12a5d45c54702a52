import { expect, it } from 'vitest'
import { visible } from '#src/domain/kernel/visible.ts'

it.each([
  ['plain', 'Ærø 字 👩‍🔬 नमस्ते.tif', 'Ærø 字 👩‍🔬 नमस्ते.tif'],
  ['escape sequences', '\u001b[31mred\u009b0m', '\\u{1b}[31mred\\u{9b}0m'],
  ['line breaks', 'a\nb\r\tc\u2028d', 'a\\nb\\r\\tc\\u{2028}d'],
  ['right-to-left override', 'gpj.\u202eexe', 'gpj.\\u{202e}exe'],
  ['isolates and marks', '\u2066\u200f\u061c', '\\u{2066}\\u{200f}\\u{61c}'],
  ['the invisible', 'a\u200bb\ufeffc\u00add\u{e0041}', 'a\\u{200b}b\\u{feff}c\\u{ad}d\\u{e0041}'],
  ['half a character', '\ud83d!', '\\u{d83d}!'],
])('%s', (_, text, shown) => {
  expect(visible(text)).toBe(shown)
})
