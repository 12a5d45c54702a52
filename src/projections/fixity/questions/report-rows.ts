import * as t from 'io-ts'
import { Counts, type FixityReport } from './answers.ts'

/** A section, with counts that add up to `expected`. */
export const ReportRow = t.intersection([
  t.type({ store: t.string, prefix: t.string }),
  Counts,
  t.type({
    bytes: t.number,
    /** Since when nothing of the store is found. */
    awaySince: t.union([t.string, t.null]),
  }),
])

export const reportRows = ({ stores }: FixityReport): readonly t.TypeOf<typeof ReportRow>[] =>
  stores.flatMap(({ store, counts, bytes, prefixes, awaySince = null }) => [
    ...prefixes.map((section) => ({
      store,
      prefix: section.prefix,
      ...section.counts,
      bytes: section.bytes,
      awaySince,
    })),
    { store, prefix: '(all)', ...counts, bytes, awaySince },
  ])
