import { parts } from '../../projections/fixity/item-states.ts'
import type { FixityReport } from '../../projections/fixity/report.ts'
import type { Column, Row } from '../output/table.ts'

/** A line a section, with numbers that add up to `expected`. */
export const reportRows = (report: FixityReport): readonly Row[] =>
  report.stores.flatMap(({ store, counts, bytes, prefixes }) => [
    ...prefixes.map((section) => ({
      store,
      prefix: section.prefix,
      ...section.counts,
      bytes: section.bytes,
    })),
    { store, prefix: '(all)', ...counts, bytes },
  ])

export const reportColumns: readonly Column[] = ['store', 'prefix', 'expected', ...parts, 'bytes'].map(
  (key) => ({ key }),
)
