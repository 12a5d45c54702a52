import type { CaptureLine } from '@fonds/cdx'
import type { AccessRule } from '../../../domain/indexing/access/rule.ts'
import type { CaptureIndex } from '../../../ports/capture-index.ts'
import type { HeldBack } from '../access/embargoes.ts'

/** The index, and which of its lines are visible. All code that shows captures calls `findCaptures` with one. */
export interface CaptureSource {
  readonly index: CaptureIndex
  /** Most lines that one question may read. */
  readonly maxScanned: number
  /** Milliseconds of work that the lines of one question may take. */
  readonly maxMillis: number
  /** Called if either limit ends a question. */
  readonly onCut?: (by: 'scan' | 'time') => void
  /** The index as it was at this position. */
  readonly asOf?: bigint
  /**
   * Rules of access and embargoes: a hidden line is as if it did not exist. Called for each line, before any filter;
   * absent: all lines are visible.
   */
  readonly isHidden?: (line: CaptureLine) => boolean
  /** The rule that hides it; absent: no rule refuses anything. */
  readonly refusedBy?: (line: CaptureLine) => AccessRule | undefined
  /** Whether an embargo hides all lines that have this file; absent: none does. */
  readonly heldBack?: HeldBack
}
