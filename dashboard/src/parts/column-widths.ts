/* How the room of a list is shared among its columns, in pixels. */

export interface ColumnWish {
  /** What its longest cell, of those seen so far, wants. */
  readonly wanted: number
  /** What it has at least, where not all can have what they want. */
  readonly least: number
}

/**
 * No column is cut while another has room to spare. Where all fit, each has what it wants, and the last of the widest takes what is left
 * over. Where they do not, the narrow ones have what they want, and the wide ones share the rest.
 */
export const shareRoom = (columns: readonly ColumnWish[], room: number): readonly number[] => {
  const sum = columns.reduce((all, { wanted }) => all + wanted, 0)
  if (sum <= room) {
    const widest = Math.max(...columns.map(({ wanted }) => wanted))
    const at = columns.findIndex(({ wanted }) => wanted === widest)
    return columns.map(({ wanted }, i) => wanted + (i === at ? room - sum : 0))
  }
  const fair = fairShare(columns, room)
  return columns.map(({ wanted, least }) => Math.max(Math.min(wanted, fair), Math.min(wanted, least)))
}

/** The width above which columns are cut, so that all of them together fit. */
const fairShare = (columns: readonly ColumnWish[], room: number): number => {
  let left = room
  let count = columns.length
  for (const wanted of columns.map((one) => one.wanted).toSorted((a, b) => a - b)) {
    if (wanted > left / count) return left / count
    left -= wanted
    count--
  }
  return left
}
