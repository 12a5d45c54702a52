import { is, rows } from '../../../domain/kernel/read-views.ts'
import type { Views } from '../../../domain/kernel/view.ts'
import { anomalies as shape } from '../../../domain/research/views.ts'
import type { AnomalyKind } from '../anomaly-rows.ts'
import type { AnomalyRow } from '../tables.ts'

interface AnomalyScope {
  readonly kind?: AnomalyKind
  /** Default: 100. */
  readonly limit?: number
}

/** Anomalies, the latest first. */
export const anomalies = (store: Views, { kind, limit = 100 }: AnomalyScope = {}): readonly AnomalyRow[] =>
  rows(store, shape, {
    where: kind === undefined ? [] : [is('kind', kind)],
    orderBy: [{ column: 'position', descending: true }],
    limit,
  })
