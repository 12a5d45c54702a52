import type { Timeline } from './timeline.ts'

/**
 * A label track as Audacity imports it: start, end and label of each place, seconds and text with tabs between. What a person rejected
 * is left out.
 */
export const timelineLabels = ({ occurrences }: Pick<Timeline, 'occurrences'>): string =>
  occurrences
    .filter(({ verdict }) => verdict !== 'rejected')
    .map(
      ({ offset, duration, clipTitle }) =>
        `${seconds(offset)}\t${seconds(offset + duration)}\t${clipTitle.replace(/\p{Cc}+/gu, ' ')}\n`,
    )
    .join('')

const seconds = (nanos: number): string => (nanos / 1e9).toFixed(6)
