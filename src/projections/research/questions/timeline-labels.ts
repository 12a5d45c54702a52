import type { Timeline } from './timeline.ts'

/**
 * A label track as Audacity imports it: start, end and label of each place, seconds and text with tabs between. What a person rejected
 * is left out. What cannot be decoded has a label, too.
 */
export const timelineLabels = ({ occurrences, gaps }: Pick<Timeline, 'occurrences' | 'gaps'>): string =>
  [
    ...occurrences.filter(({ verdict }) => verdict !== 'rejected'),
    ...gaps.map((gap) => ({ ...gap, clipTitle: 'cannot be decoded' })),
  ]
    .sort((one, other) => one.offset - other.offset)
    .map(
      ({ offset, duration, clipTitle }) =>
        `${seconds(offset)}\t${seconds(offset + duration)}\t${clipTitle.replace(/\p{Cc}+/gu, ' ')}\n`,
    )
    .join('')

const seconds = (nanos: number): string => (nanos / 1e9).toFixed(6)
