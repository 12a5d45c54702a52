import type { RowOf, TablesOf } from '../runtime/projection.ts'
import type {
  anomalies,
  clipResults,
  clips,
  desk,
  episodeResults,
  episodes,
  failures,
  findings,
  hours,
  leases,
  researchers,
  views,
} from './views.ts'

export type ResearchTables = TablesOf<typeof views>
export type EpisodeRow = RowOf<typeof episodes>
export type ClipRow = RowOf<typeof clips>
export type EpisodeResultsRow = RowOf<typeof episodeResults>
export type ClipResultsRow = RowOf<typeof clipResults>
export type LeaseRow = RowOf<typeof leases>
export type ResearcherRow = RowOf<typeof researchers>
export type FindingRow = RowOf<typeof findings>
export type FailureRow = RowOf<typeof failures>
export type AnomalyRow = RowOf<typeof anomalies>
export type HourRow = RowOf<typeof hours>
export type DeskRow = RowOf<typeof desk>

/** Episodes and clips are curated, fail and are counted alike. */
export type Subject = 'episode' | 'clip'
