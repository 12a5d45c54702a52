import { visible } from './visible.ts'

/** Markup that is safe to send. Made by `html` alone. */
export interface Html {
  readonly markup: string
}

type Piece = string | number | Html | readonly Piece[] | undefined

/** Markup with values in it: text is escaped, control characters are made visible, undefined is left out. */
export const html = (literals: TemplateStringsArray, ...pieces: readonly Piece[]): Html => ({
  markup: literals.map((literal, i) => literal + render(pieces[i])).join(''),
})

const render = (piece: Piece): string => {
  if (piece === undefined) return ''
  if (typeof piece === 'string') return escapeHtml(visible(piece))
  if (typeof piece === 'number') return String(piece)
  return 'markup' in piece ? piece.markup : piece.map(render).join('')
}

const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`)
