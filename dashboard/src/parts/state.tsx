import type { Condition } from './condition.ts'

export type { Condition }

/* A state is told by its word and its shape; colour comes last. */

/** Drawn for a square of 12. */
const shapes: Readonly<Record<Condition, string>> = {
  well: 'M6 .5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11zM2.9 6.2l1-1 1.4 1.4 2.9-3 1 1-3.9 4z',
  wrong: 'M6 0l6 6-6 6-6-6zM5.3 2.8h1.4v3.6H5.3zm0 4.5h1.4v1.4H5.3z',
  'needs somebody': 'M6 .6 11.7 11H.3zM5.3 4.3h1.4v3.4H5.3zm0 4.3h1.4V10H5.3z',
  'under way': 'M6 .5v1.8A3.7 3.7 0 1 1 2.3 6H.5A5.5 5.5 0 1 0 6 .5z',
  held: 'M1 1h10v10H1zM3.7 3.5v5h1.5v-5zm3.1 0v5h1.5v-5z',
  stopped: 'M1 1h10v10H1zM3.7 3.5v5h1.5v-5zm3.1 0v5h1.5v-5z',
  away: 'M1 1h3v1.6H2.6V4H1zM8 1h3v3H9.4V2.6H8zM1 8h1.6v1.4H4V11H1zM9.4 8H11v3H8V9.4h1.4z',
  idle: 'M6 .5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11zm0 1.6a3.9 3.9 0 1 1 0 7.8 3.9 3.9 0 0 1 0-7.8z',
  'not known':
    'M6 .5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11zM5.3 8h1.4v1.4H5.3zM3.8 4.6a2.2 2.2 0 1 1 2.9 2v.8H5.3V5.8A.9.9 0 1 0 5.2 4.6z',
}

export const Shape = ({ of }: { readonly of: Condition }) => (
  <svg class="shape" viewBox="0 0 12 12" aria-hidden="true">
    <path fill-rule="evenodd" d={shapes[of]} />
  </svg>
)

export const State = ({ is, words = is }: { readonly is: Condition; readonly words?: string }) => (
  <span class={`state ${is.replace(' ', '-')}`}>
    <Shape of={is} />
    {words}
  </span>
)
