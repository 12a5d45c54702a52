import type { CaptureLine } from '@fonds/cdx'
import type { AccessRule } from '../../../domain/indexing/access/rule.ts'
import type { CaptureIndex } from '../../../ports/capture-index.ts'

/** The index, and what may be seen of it. Whoever shows captures to anybody asks `findCaptures` with one. */
export interface CaptureSource {
  readonly index: CaptureIndex
  /** Lines that one question may look at. */
  readonly maxScanned: number
  /** Milliseconds of work that the lines of one question may take. */
  readonly maxMillis: number
  /** Called where either ends a question. */
  readonly onCut?: (by: 'scan' | 'time') => void
  /** The index as it was at this position. */
  readonly asOf?: bigint
  /**
   * Rules of access: such a line is as if it were not there. It is asked for each line, before any filter; absent: all are seen. A rule
   * finds the archive file as `line.field('file')`.
   */
  readonly isHidden?: (line: CaptureLine) => boolean
  /** The rule that hides it. */
  readonly refusedBy?: (line: CaptureLine) => AccessRule | undefined
}
