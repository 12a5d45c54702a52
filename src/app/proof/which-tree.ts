import type { EarlierTree } from '../../domain/kernel/proof/origin-entry.ts'

/* Which tree a home extends. An archive has one at a time; its log is marked with the origin of that. */

/** A new tree. `instead`: of another, by a person's word. */
export interface Begun {
  readonly origin: string
  readonly instead?: { readonly earlier: EarlierTree; readonly event: string }
}

interface Known {
  /** Origin of the head in this home's folder. */
  readonly here: string | undefined
  /** Origin that the log is marked with. */
  readonly mark: string | undefined
  /** The last tree that a person began in the place of another. */
  readonly ordered: Required<Begun> | undefined
  /** For the first tree of a log. */
  readonly first: string
}

export type WhichTree =
  | { readonly kind: 'extend' }
  | ({ readonly kind: 'begin' } & Begun)
  /** Another home has the tree. */
  | { readonly kind: 'elsewhere'; readonly origin: string }

export const whichTree = ({ here, mark, ordered, first }: Known): WhichTree => {
  const isCarriedOut = ordered === undefined || [here, mark].includes(ordered.origin)
  if (!isCarriedOut && (here ?? mark) === ordered.instead.earlier.origin) return { kind: 'begin', ...ordered }
  if (here === undefined)
    return mark === undefined ? { kind: 'begin', origin: first } : { kind: 'elsewhere', origin: mark }
  // The mark is set behind the first head: a log that was put back from before may lack it, or have an earlier one.
  return mark === undefined || mark === here || ordered?.origin === here
    ? { kind: 'extend' }
    : { kind: 'elsewhere', origin: mark }
}
