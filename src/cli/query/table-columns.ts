import type { Row } from '../../domain/kernel/view.ts'

/** Columns of a terminal that a column of a table should have, the gap among them. */
const readable = 12

/**
 * Columns that are worth drawing: those that hold anything, and of these as many as can be read on a terminal of this
 * width (absent: all).
 */
export const readableColumns = (
  names: readonly string[],
  rows: readonly Row[],
  width: number | undefined,
): { readonly shown: readonly string[]; readonly leftOut: readonly string[] } => {
  const filled = names.filter((name) => rows.some((row) => row[name] !== null))
  const most = width === undefined ? filled.length : Math.max(3, Math.floor(width / readable))
  return { shown: filled.slice(0, most), leftOut: filled.slice(most) }
}
