import Table from 'cli-table3'
import { median } from '../table.ts'
import type { Pair, Side } from './measured.ts'
import type { Row } from './rows.ts'

interface Verdict {
  readonly row: Row
  /** Medians of the rounds. */
  readonly ours: number
  readonly theirs: number
  /** The median of the rounds' own ratios, as the row's bar is meant. */
  readonly ratio: number
  readonly isKept: boolean
  readonly did: string
}

export const verdictOf = (row: Row, pairs: readonly Pair[]): Verdict => {
  const medianOf = (sideOf: (pair: Pair) => Side) => median(pairs.map((pair) => sideOf(pair).cost))
  const ratioOf = ({ ours, theirs }: Pair) =>
    row.of === 'speed' ? theirs.cost / ours.cost : ours.cost / theirs.cost
  const ratio = median(pairs.map(ratioOf))
  const { bar } = row
  return {
    row,
    ours: medianOf(({ ours }) => ours),
    theirs: medianOf(({ theirs }) => theirs),
    ratio,
    isKept: bar === undefined || (row.of === 'speed' ? ratio >= bar : ratio <= bar),
    did: pairs[0]!.ours.did,
  }
}

export const printVerdicts = (verdicts: readonly Verdict[]): void => {
  const head = ['', 'what', 'ours', 'beside', 'theirs', 'ratio', 'bar', '', 'both did']
  const table = new Table({ head, style: { head: [], border: [] } })
  for (const { row, ours, theirs, ratio, isKept, did } of verdicts) {
    const { number, what, beside, unit, of, bar } = row
    const figure = (cost: number) => `${cost.toLocaleString('en', { maximumSignificantDigits: 3 })} ${unit}`
    const asked =
      bar === undefined ? [] : [`${of === 'speed' ? '≥' : '≤'} ${bar}`, isKept ? 'kept' : 'MISSED']
    const [limit = '', word = ''] = asked
    table.push([number, what, figure(ours), beside, figure(theirs), ratio.toFixed(2), limit, word, did])
  }
  console.log(table.toString())
}
