import type { Checkout, InstalledCheckout } from './checkouts.ts'

/** One side of a row in one round. */
export interface Side {
  /** In the row's unit: the less, the better. */
  readonly cost: number
  /** The work that was done, counted: the same of both sides, or the row says nothing. */
  readonly did: string
}

export interface Pair {
  readonly ours: Side
  readonly theirs: Side
}

/** Each makes a round: both sides, one after the other. */
export type Measure = (round: Round) => Promise<Pair>

export interface Round {
  readonly number: number
  /** Of the whole run: removed at its end. */
  readonly folder: string
  /** The work tree that this file stands in. */
  readonly ours: Checkout
  /** The checkout that rows are held against, installed. It is made when it is first asked for. */
  readonly base: () => InstalledCheckout
  /** Does `work` once a round, for all rows that ask for `name`. */
  readonly once: <A>(name: string, work: () => Promise<A>) => Promise<A>
}

/** Ours and the checkout of the base, each first in every other round. */
export const besideBase =
  (measure: (checkout: Checkout, round: Round) => Promise<Side>): Measure =>
  async (round) => {
    const base = round.base()
    if (round.number % 2 === 1) {
      const theirs = await measure(base, round)
      return { ours: await measure(round.ours, round), theirs }
    }
    const ours = await measure(round.ours, round)
    return { ours, theirs: await measure(base, round) }
  }
