/** The width of text in columns of a terminal, and cutting it to fit. The text is escaped already. */

/** Made when it is first needed: that takes as long as fifty modules. */
let segmenter: Intl.Segmenter | undefined
const graphemesOf = (text: string): readonly string[] => {
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' })
  return Array.from(segmenter.segment(text), ({ segment }) => segment)
}

/** East Asian wide and full-width characters, and emoji. */
const wide =
  /^[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1b000}-\u{1b2ff}\u{20000}-\u{3fffd}]|^\p{Emoji_Presentation}|\ufe0f$/u
const mark = /^\p{M}/u
const narrow = /^[\x20-\x7e]*$/

const widthOf = (grapheme: string): number => (wide.test(grapheme) ? 2 : mark.test(grapheme) ? 0 : 1)

export const displayWidth = (text: string): number => {
  if (narrow.test(text)) return text.length
  return graphemesOf(text).reduce((width, grapheme) => width + widthOf(grapheme), 0)
}

/**
 * Returns at most `width` columns, with `…` for the omitted part: at the end, or in the middle if both ends are
 * significant.
 */
export const shorten = (text: string, width: number, leaveOut: 'end' | 'middle' = 'end'): string => {
  if (displayWidth(text) <= width) return text
  if (width <= 1) return '…'
  const tail = leaveOut === 'middle' ? Math.floor((width - 1) / 2) : 0
  const parts = graphemesOf(text)
  const end = take(parts.toReversed(), tail).toReversed()
  return `${take(parts, width - 1 - tail).join('')}…${end.join('')}`
}

const take = (parts: readonly string[], width: number): string[] => {
  const taken: string[] = []
  let left = width
  for (const part of parts) {
    left -= widthOf(part)
    if (left < 0) break
    taken.push(part)
  }
  return taken
}

/**
 * Widths that together take at most `total` columns: the widest shrink first, down to one common width. `fixed` columns
 * keep theirs, and none shrinks below `least`: the sum may then be more than `total`.
 */
export const fitWidths = (
  natural: readonly number[],
  fixed: readonly boolean[],
  total: number,
  least = 6,
): number[] => {
  const sum = (cap: number) =>
    natural.reduce((all, width, i) => all + (fixed[i] ? width : Math.min(width, cap)), 0)
  let cap = Math.max(0, ...natural)
  while (cap > least && sum(cap) > total) cap--
  const spare = total - sum(cap)
  let more = Math.max(0, spare)
  return natural.map((width, i) => {
    if (fixed[i] || width <= cap) return width
    return more-- > 0 ? cap + 1 : cap
  })
}
