import type { Column } from '../../runtime/shown.ts'
import type { Occurrence } from './answers.ts'
import { clock } from './clock.ts'

/** What a person must know of an occurrence besides its place: that it is a part of the clip, or that another clip claims it. */
export const occurrenceNote = ({
  partFrom,
  partTo,
  rank,
  rival,
}: Pick<Occurrence, 'partFrom' | 'partTo' | 'rank' | 'rival'>): string =>
  [
    ...(partFrom === undefined || partTo === undefined
      ? []
      : [`only ${clock(partFrom)} to ${clock(partTo)} of it`]),
    ...(rank === undefined ? [] : [rank === 1 ? `better here than ${rival}` : `${rival} is better here`]),
  ].join('; ')

/** No column where there is nothing to be said. */
export const noteColumns = (some: readonly Occurrence[]): readonly Column[] =>
  some.some((one) => occurrenceNote(one) !== '')
    ? [{ key: 'note', show: (_, row) => occurrenceNote(row as unknown as Occurrence) }]
    : []
