/** A line that cannot be used. */
export interface InvalidLine {
  /** Why; it continues "line 7 …". */
  readonly error: string
}

export const isInvalid = <Line>(line: Line | InvalidLine): line is InvalidLine =>
  typeof line === 'object' && line !== null && 'error' in line
