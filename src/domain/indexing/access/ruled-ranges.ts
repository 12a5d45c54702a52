import { type KeyRange, rangeOfPrefix, surt } from '@fonds/cdx'
import { beginningsOf } from './compile-rules.ts'
import type { AccessTerms } from './rule.ts'

/** All lines that a rule may be about, and some more. */
export const ruledRanges = ({ match, url }: AccessTerms): readonly KeyRange[] => {
  if (match !== 'exact') return beginningsOf({ match, url }).map(rangeOfPrefix)
  const key = surt(url)
  // The key itself, and with what was posted to it.
  return [rangeOfPrefix(`${key} `), rangeOfPrefix(`${key}?`)]
}

/** In order; those that touch are one. */
export const joinedRanges = (ranges: readonly KeyRange[]): readonly KeyRange[] => {
  const joined: KeyRange[] = []
  for (const range of [...ranges].sort((a, b) => compare(a.from, b.from))) {
    const last = joined.at(-1)
    if (!last || (last.to !== undefined && compare(last.to, range.from) < 0)) joined.push(range)
    else if (last.to !== undefined && (range.to === undefined || compare(last.to, range.to) < 0))
      joined[joined.length - 1] = { from: last.from, ...(range.to !== undefined && { to: range.to }) }
  }
  return joined
}

/** Keys are ASCII. */
const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
