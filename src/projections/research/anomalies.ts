import type { AnomalyKind } from './anomaly-rows.ts'
import { is, rows, type Views } from './reading.ts'
import type { AnomalyRow } from './tables.ts'
import { anomalies as shape } from './views.ts'

export interface AnomalyScope {
  readonly kind?: AnomalyKind
  /** 100 unless told. */
  readonly limit?: number
}

/** What should not happen and did, the latest first. */
export const anomalies = (store: Views, { kind, limit = 100 }: AnomalyScope = {}): readonly AnomalyRow[] =>
  rows(store, shape, {
    where: kind === undefined ? [] : [is('kind', kind)],
    orderBy: [{ column: 'position', descending: true }],
    limit,
  })
