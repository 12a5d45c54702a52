import type { CaptureQuery } from '@fonds/cdx'
import type { ScanRange } from '../../../ports/capture-index.ts'

/* Bounds of lines: a blank follows the key, `!` sorts after the blank, `:` after the digits. */

/** Ranges of the index that the query reads, in its order. */
export const scanRanges = (query: CaptureQuery): readonly ScanRange[] => {
  const bounds = boundsOf(query).map(({ from, to }) => ({
    from: Buffer.from(from),
    ...(to !== undefined && { to: Buffer.from(to) }),
  }))
  if (query.order !== 'backwards') return bounds.flatMap((range) => behind(range, query))
  return bounds.toReversed().flatMap((range) => before({ ...range, backwards: true }, query))
}

interface Bounds {
  readonly from: string
  readonly to?: string
}

const boundsOf = ({ keys, from, to }: CaptureQuery): readonly Bounds[] =>
  'key' in keys
    ? [{ from: `${keys.key} ${from ?? ''}`, to: to === undefined ? `${keys.key}!` : `${keys.key} ${to}:` }]
    : keys.ranges

/** The part of a range from the moment on at which an earlier answer ended. */
const behind = (range: ScanRange, { resume }: CaptureQuery): readonly ScanRange[] => {
  if (!resume) return [range]
  const moment = Buffer.from(`${resume.key} ${resume.time}`)
  if (range.to && Buffer.compare(range.to, moment) <= 0) return []
  return [range.from && Buffer.compare(range.from, moment) >= 0 ? range : { ...range, from: moment }]
}

/** The part of a range up to that moment. */
const before = (range: ScanRange, { resume }: CaptureQuery): readonly ScanRange[] => {
  if (!resume) return [range]
  const moment = Buffer.from(`${resume.key} ${resume.time}:`)
  if (range.from && Buffer.compare(range.from, moment) >= 0) return []
  return [range.to && Buffer.compare(range.to, moment) <= 0 ? range : { ...range, to: moment }]
}
