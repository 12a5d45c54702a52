import * as E from 'fp-ts/lib/Either.js'
import { EpisodeId } from '../../../domain/research/terms.ts'
import { question } from '../../runtime/question.ts'
import { research } from '../projection.ts'
import { Occurrence } from './answers.ts'
import { place } from './clock.ts'
import { gapSentence, gapsOf } from './gaps.ts'
import { unknownEpisode, unknownEpisodeOf } from './known.ts'
import { noteColumns } from './occurrence-note.ts'
import { Timeline, timelineOf } from './timeline.ts'
import { timelineLabels } from './timeline-labels.ts'
import { timelineSvg } from './timeline-svg.ts'

export const timelinePicture = {
  format: 'svg',
  contentType: 'image/svg+xml',
  policy: "default-src 'none'; sandbox",
} as const

export const timelineQuestion = question({
  name: 'timeline',
  path: 'research/episodes/{episode}/timeline',
  operationId: 'episodeTimeline',
  summary: 'The clips of an episode along its length.',
  projection: research,
  history: 'views',
  input: {
    episode: {
      description: 'Its id.',
      codec: EpisodeId,
      required: true,
      example: 'tbtl-4611',
      argument: 'episode',
    },
  },
  answer: Timeline,
  returns: 'By offset; durations and offsets are nanoseconds.',
  rejections: unknownEpisode,
  ask: (views, { episode }) => {
    const unknown = unknownEpisodeOf(views, episode)
    return unknown ? E.left(unknown) : E.right(timelineOf(views, episode))
  },
  rows: { row: Occurrence, of: ({ occurrences }) => occurrences },
  show: ({ title, duration, silent, occurrences }) => [
    `${title}: ${place(duration)}${silent ? '; silent: no channel has any sound' : ''}`,
    {
      rows: occurrences,
      columns: [
        { key: 'offset', title: 'at', show: (offset) => place(Number(offset)) },
        { key: 'clip' },
        { key: 'clipTitle', title: 'title' },
        { key: 'score', show: (score) => Number(score).toFixed(3) },
        ...noteColumns(occurrences),
      ],
    },
  ],
  remarks: ({ episode }, { views }) => gapsOf(views, { episode }).map(gapSentence),
  pictures: [
    { ...timelinePicture, draw: (answer) => E.right(timelineSvg(answer)) },
    { format: 'txt', contentType: 'text/plain', draw: (answer) => E.right(timelineLabels(answer)) },
  ],
  examples: [
    ['timeline tbtl-4611', 'its clips along its length'],
    ['timeline tbtl-4611 --output timeline.svg', 'as a picture for a browser, or for print'],
    ['timeline tbtl-4611 --output labels.txt', 'as labels for Audacity'],
  ],
})
