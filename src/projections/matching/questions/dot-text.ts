import { visible } from '../../../domain/kernel/visible.ts'

/** Graphviz reads backslashes and HTML entities as its own. */
const escaped = (text: string): string =>
  text.replaceAll('\\', '\\\\').replaceAll('&', '&amp;').replaceAll('"', '\\"')

/** Clips a text to so many characters, with `…` for the omission: at the end, or in the middle if both ends matter. */
export const clip = (text: string, max: number, leaveOut: 'end' | 'middle' = 'end'): string => {
  const characters = Array.from(text)
  if (characters.length <= max) return text
  const tail = leaveOut === 'middle' ? Math.floor((max - 1) / 2) : 0
  return [...characters.slice(0, max - 1 - tail), '…', ...characters.slice(characters.length - tail)].join('')
}

/** Names a node in DOT. Escaped before it is made visible, so that no two texts become one name. */
export const dotName = (text: string): string => `"${visible(escaped(text))}"`

/** Lines of text in DOT, each as it is: in the middle, or to the left. */
export const dotLabel = (lines: readonly string[], to: 'middle' | 'left' = 'middle'): string => {
  const texts = lines.map((line) => escaped(visible(line)))
  return to === 'left' ? `"${texts.map((text) => `${text}\\l`).join('')}"` : `"${texts.join('\\n')}"`
}
