/* Which part of a long list is seen. Browsers draw nothing beyond some height, so a scroll bar of a longer list moves by more than it shows. */

/** Pixels; the style of `.long-list` says the same. */
export const rowHeight = 36
/** Firefox draws 17 million pixels, Chromium 33 million. */
const maxHeight = 10_000_000
/** Pixels from either end within which the list moves by as much as the scroll bar does: the first and the last rows are reached exactly. */
const edge = 100 * rowHeight

export interface Frame {
  /** Rows of the list. */
  readonly total: number
  /** The greatest `scrollTop`. */
  readonly range: number
  /** Pixels that are seen. */
  readonly height: number
}

export interface Place {
  readonly scrollTop: number
  /** Pixels of the whole list above what is seen, however high it is. */
  readonly top: number
}

/** Pixels that the list takes in the page. */
export const heightOf = (total: number): number => Math.min(total * rowHeight, maxHeight)

const hiddenHeight = (total: number): number => total * rowHeight - heightOf(total)

/** Where the list is after a scroll: a short one moves it by as much, a long one to that part of the whole. */
export const scrolled = (frame: Frame, before: Place, scrollTop: number): Place => {
  const { range, height, total } = frame
  const moved = scrollTop - before.scrollTop
  const isAtEdge = scrollTop < edge || scrollTop > range - edge
  if (hiddenHeight(total) === 0 || isAtEdge || Math.abs(moved) > height)
    return { scrollTop, top: topAt(frame, scrollTop) }
  return { scrollTop, top: Math.min(Math.max(before.top + moved, edge), range + hiddenHeight(total) - edge) }
}

const topAt = ({ range, total }: Frame, scrollTop: number): number => {
  const hidden = hiddenHeight(total)
  if (hidden === 0 || scrollTop < edge) return scrollTop
  if (scrollTop > range - edge) return scrollTop + hidden
  return edge + (scrollTop - edge) * scaleOf(range, hidden)
}

/** The place in which the scroll bar says the same as the list. */
export const settled = ({ range, total }: Frame, top: number): Place => {
  const hidden = hiddenHeight(total)
  const inside = Math.min(Math.max(top, 0), range + hidden)
  if (hidden === 0 || inside < edge) return { scrollTop: inside, top: inside }
  if (inside > range + hidden - edge) return { scrollTop: inside - hidden, top: inside }
  return { scrollTop: edge + (inside - edge) / scaleOf(range, hidden), top: inside }
}

const scaleOf = (range: number, hidden: number): number => (range + hidden - 2 * edge) / (range - 2 * edge)
