import type { Verdict } from '../../../domain/fixity/bags/judging.ts'
import { plural } from '../../../domain/kernel/amounts.ts'
import type { BagCounts } from './answers.ts'

export const countBags = (all: readonly { readonly verdict: Verdict }[]): BagCounts => {
  const of = (verdict: Verdict) => all.filter((one) => one.verdict === verdict).length
  return { valid: of('valid'), notValid: of('not-valid'), notProven: of('not-proven') }
}

/** `3 bags: 1 valid, 2 not valid, 0 not proven`. */
export const bagCountsText = ({ valid, notValid, notProven }: BagCounts): string =>
  `${plural(valid + notValid + notProven, 'bag')}: ${valid} valid, ${notValid} not valid, ${notProven} not proven`
