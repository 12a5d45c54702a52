import type { RowOf } from '../../domain/kernel/view.ts'
import type {
  generations,
  graphs,
  graphTurns,
  links,
  members,
  merged,
  turns,
  verdicts,
  views,
  works,
} from '../../domain/matching/views.ts'
import type { TablesOf } from '../runtime/projection.ts'

export type MatchingTables = TablesOf<typeof views>
export type WorkRow = RowOf<typeof works>
export type MemberRow = RowOf<typeof members>
export type LinkRow = RowOf<typeof links>
export type GraphRow = RowOf<typeof graphs>
export type TurnRow = RowOf<typeof turns>
export type GraphTurnRow = RowOf<typeof graphTurns>
export type MergedRow = RowOf<typeof merged>
export type VerdictRow = RowOf<typeof verdicts>
export type GenerationRow = RowOf<typeof generations>
