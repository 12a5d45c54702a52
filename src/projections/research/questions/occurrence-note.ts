import type { Column } from '../../runtime/shown.ts'
import type { Occurrence } from './answers.ts'
import { clock } from './clock.ts'

/** `0.73 % faster`: how the episode plays a clip. */
export const speedNote = (speed: number): string =>
  `${Number((Math.abs(speed - 1) * 100).toPrecision(2))} % ${speed > 1 ? 'faster' : 'slower'}`

/**
 * Facts of an occurrence besides its place that a person must know: it is a part of the clip, or is played at another
 * speed, or another clip claims its place, or a person judged it.
 */
export const occurrenceNote = ({
  partFrom,
  partTo,
  speed,
  rank,
  rival,
  verdict,
}: Pick<Occurrence, 'partFrom' | 'partTo' | 'speed' | 'rank' | 'rival' | 'verdict'>): string =>
  [
    ...(partFrom === undefined || partTo === undefined
      ? []
      : [`only ${clock(partFrom)} to ${clock(partTo)} of it`]),
    ...(speed === undefined ? [] : [speedNote(speed)]),
    ...(rank === undefined ? [] : [rank === 1 ? `better here than ${rival}` : `${rival} is better here`]),
    ...(verdict === undefined ? [] : [verdict]),
  ].join('; ')

/** The column of notes; none if there are no notes. */
export const noteColumns = (some: readonly Occurrence[]): readonly Column[] =>
  some.some((one) => occurrenceNote(one) !== '')
    ? [{ key: 'note', show: (_, row) => occurrenceNote(row as unknown as Occurrence) }]
    : []
