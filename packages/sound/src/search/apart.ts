/** A stretch in which something was found. Its end lies behind its start. */
export interface Span {
  readonly start: number
  readonly end: number
  /** From 0 to 1. */
  readonly score: number
}

/**
 * Weight of a span among those that overlap it. A span gives way to two that score at least 0.92 of it: to two
 * plays in a row, where a jingle of equal halves fits between them as well as it fits them. It never gives way to its
 * own pieces: a span that has a share of the sound scores the root of that share.
 */
const weightOf = ({ score }: Span): number => Math.max(least, score) ** 8
/** Score up to which spans weigh the same, so that one which nothing overlaps is always selected. */
const least = 0.1

/**
 * Selects the spans with the greatest sum of weights of which no two overlap by more than `maxShare` of the shorter.
 * If sums are equal, the earlier spans are taken. Returns indexes, ordered by start.
 */
export const selectApart = (spans: readonly Span[], maxShare = 0): readonly number[] => {
  const indexes = spans.map((_, i) => i)
  const byStart = indexes.toSorted((i, j) => spans[i]!.start - spans[j]!.start)
  const byEnd = indexes.toSorted((i, j) => spans[i]!.end - spans[j]!.end)
  /** The best selection whose last span is i: its sum of weights, and its span before i, or -1. */
  const sums = new Float64Array(spans.length)
  const previous = new Int32Array(spans.length)
  let ended = 0
  let best = -1
  const better = (i: number, than: number) => (than < 0 || sums[i]! > sums[than]! ? i : than)
  for (const j of byStart) {
    const { start, end } = spans[j]!
    for (; ended < byEnd.length && spans[byEnd[ended]!]!.end <= start; ended++)
      best = better(byEnd[ended]!, best)
    let before = best
    const latest = start + maxShare * (end - start)
    for (let k = ended; k < byEnd.length && spans[byEnd[k]!]!.end <= latest; k++) {
      const other = spans[byEnd[k]!]!
      if (other.end - start <= maxShare * (other.end - other.start)) before = better(byEnd[k]!, before)
    }
    previous[j] = before
    sums[j] = weightOf(spans[j]!) + (before < 0 ? 0 : sums[before]!)
  }
  for (; ended < byEnd.length; ended++) best = better(byEnd[ended]!, best)
  const selected: number[] = []
  for (let i = best; i >= 0; i = previous[i]!) selected.push(i)
  return selected.reverse()
}
