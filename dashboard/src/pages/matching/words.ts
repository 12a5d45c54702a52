import type { Graph, Link, Work } from './layout.ts'

/** What a work is, and what readers get for it. */
export const isShownAs = ({ id, state, document, redirectsTo }: Work, target: string | null): string => {
  if (state === 'placeholder') return 'never described'
  if (state === 'deleted') return 'deleted'
  const hidden = state === 'visible' ? '' : 'not visible, '
  if (document === null) return `${hidden}no document yet`
  if (document === 'merged') return hidden + (id === target ? 'shown for all' : 'shown')
  if (document === 'redirect') return hidden + (redirectsTo === target ? 'redirects' : 'redirects elsewhere')
  return document === 'hidden' ? 'not visible' : hidden + document
}

/** The same name for a link whichever way round. */
const pair = (one: string, other: string): string => JSON.stringify([one, other].sort())

/** Says of links whether nothing else joins their ends. */
export const bridgesOf = ({ bridges }: Graph): ((link: Pick<Link, 'from' | 'to'>) => boolean) => {
  const pairs = new Set(bridges.map(({ from, to }) => pair(from, to)))
  return ({ from, to }) => pairs.has(pair(from, to))
}
