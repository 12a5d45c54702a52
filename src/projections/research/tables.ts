import type { RowOf } from '../../domain/kernel/view.ts'
import type {
  anomalies,
  clipResults,
  episodeResults,
  episodes,
  findings,
  hours,
  leases,
  policy,
  researchers,
  views,
} from '../../domain/research/views.ts'
import type { TablesOf } from '../runtime/projection.ts'

export type ResearchTables = TablesOf<typeof views>
export type EpisodeRow = RowOf<typeof episodes>
export type EpisodeResultsRow = RowOf<typeof episodeResults>
export type ClipResultsRow = RowOf<typeof clipResults>
export type LeaseRow = RowOf<typeof leases>
export type ResearcherRow = RowOf<typeof researchers>
export type FindingRow = RowOf<typeof findings>
export type AnomalyRow = RowOf<typeof anomalies>
export type HourRow = RowOf<typeof hours>
export type PolicyRow = RowOf<typeof policy>

/** Episodes and clips are curated, fail and are counted alike. */
export type Subject = 'episode' | 'clip'
