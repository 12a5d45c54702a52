import { bytes, plural } from '../../../domain/kernel/amounts.ts'
import { type Block, columns, toTheSecond } from '../../runtime/shown.ts'
import type { FixityReport } from './answers.ts'
import { bagCountsText } from './bag-counts.ts'
import { budgetSentence } from './budget-answer.ts'
import { askedSentence } from './report.ts'
import { parts } from './report-bar.ts'

type Store = FixityReport['stores'][number]

/** Most counts beside `expected` that fit in a table of 80 columns. */
const most = 4

/**
 * The report for a terminal: a sentence and tables for each store. Leaves out counts that are 0 everywhere in a store.
 */
export const reportText = ({ stores }: FixityReport): readonly Block[] =>
  stores.length === 0 ? ['No store is known: nothing is expected.'] : stores.flatMap(storeText)

const storeText = (store: Store): readonly Block[] => {
  const { counts, prefixes } = store
  const present = parts.map(({ name }) => name).filter((name) => counts[name] > 0)
  const rows = [
    ...prefixes.map((section) => ({ folder: section.prefix, ...section.counts, size: bytes(section.bytes) })),
    { folder: '(all)', ...counts, size: bytes(store.bytes) },
  ]
  const tables: Block[] = []
  for (let i = 0; i === 0 || i < present.length; i += most) {
    const some = present.slice(i, i + most)
    const keys = i === 0 ? ['folder', 'expected', ...some, 'size'] : ['folder', ...some]
    tables.push({ rows, columns: columns(...keys) })
  }
  return [
    `Store ${store.store}${store.root === undefined ? '' : ` (${store.root})`}: ${plural(counts.expected, 'item')} expected`,
    ...whereabouts(store),
    ...(store.budget ? [budgetSentence(store.budget)] : []),
    ...(store.bags ? [`${bagCountsText(store.bags)}: \`fonds fixity bags ${store.store}\` says why`] : []),
    ...(store.asked ? [askedSentence(store.asked)] : []),
    ...(counts.expected > 0 ? tables : []),
  ]
}

const whereabouts = ({ awaySince, away = 'nothing of it is found', goneSince }: Store): readonly string[] => {
  if (awaySince !== undefined)
    return [`Away since ${toTheSecond(awaySince)}: ${away}. Nothing of it is checked.`]
  return goneSince === undefined
    ? []
    : [`Nothing of it is found since ${toTheSecond(goneSince)}: its absence is a finding.`]
}
