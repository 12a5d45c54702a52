import { parts } from '../../../domain/fixity/item-states.ts'
import { columns } from '../../runtime/shown.ts'
import type { FixityReport } from './answers.ts'

/** A line a section, with numbers that add up to `expected`. */
export const reportRows = ({ stores }: FixityReport) =>
  stores.flatMap(({ store, counts, bytes, prefixes }) => [
    ...prefixes.map((section) => ({
      store,
      prefix: section.prefix,
      ...section.counts,
      bytes: section.bytes,
    })),
    { store, prefix: '(all)', ...counts, bytes },
  ])

export const reportColumns = columns('store', 'prefix', 'expected', ...parts, 'bytes')
