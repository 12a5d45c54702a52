import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { count, plural } from '../../../domain/kernel/amounts.ts'
import { is, row } from '../../../domain/kernel/read-views.ts'
import type { Views } from '../../../domain/kernel/view.ts'
import { episodeResults } from '../../../domain/research/views.ts'
import { limit, offset } from '../../runtime/field.ts'
import { question } from '../../runtime/question.ts'
import { research } from '../projection.ts'
import { Occurrence } from './answers.ts'
import { clipProgress } from './clip-progress.ts'
import { place } from './clock.ts'
import { episodeProgress } from './episode-progress.ts'
import { type FindingScope, findings } from './findings.ts'
import { countGaps, EpisodeGaps, gapSentences, gapsOf } from './gaps.ts'
import { ofClip, ofEpisode, unknownOf, unknownSubject } from './known.ts'
import { noteColumns } from './occurrence-note.ts'
import { timelineOf } from './timeline.ts'
import { timelinePicture } from './timeline-question.ts'
import { timelineSvg } from './timeline-svg.ts'

/** X3: where clips were found. */
export const findingsQuestion = question({
  name: 'findings',
  summary: 'Where clips were found, each place with a link for a player.',
  projection: research,
  history: 'views',
  input: {
    text: {
      description: 'In the title or the id of the episode or the clip, in whatever case.',
      codec: t.string,
      argument: 'words',
    },
    episode: ofEpisode,
    clip: ofClip,
    offset: { ...offset, description: 'Places to pass over; none unless said.' },
    limit,
  },
  answer: t.type({
    findings: t.readonlyArray(Occurrence),
    /** Number of all occurrences, with those of clips and episodes that were never curated, which are not listed. */
    total: t.number,
    /** Episodes of which a part cannot be decoded: the one that is named, or the first 1,000 of all. */
    gaps: t.readonlyArray(EpisodeGaps),
    /** Number of all episodes of which a part cannot be decoded, with those that are not listed. */
    gapsTotal: t.number,
  }),
  returns: 'Places, how many there are, and where nothing can be found as it cannot be decoded.',
  rejections: {
    ...unknownSubject,
    incomplete: { status: 400, description: 'A picture is of one episode: name it.' },
  },
  ask: (views, { episode, clip, ...page }) => {
    const unknown = unknownOf(views, { episode, clip })
    if (unknown) return E.left(unknown)
    const scope = { ...page, ...(episode !== undefined && { episode }), ...(clip !== undefined && { clip }) }
    return E.right({
      ...findings(views, scope),
      gaps: gapsOf(views, scope),
      gapsTotal: countGaps(views, scope),
    })
  },
  prints: 'rows',
  rows: { row: Occurrence, of: (answer) => answer.findings },
  show: (answer) => [
    {
      rows: answer.findings,
      columns: [
        { key: 'episode' },
        { key: 'episodeTitle', title: 'title' },
        { key: 'offset', title: 'at', show: (offset) => place(Number(offset)) },
        { key: 'clip' },
        { key: 'clipTitle', title: 'title' },
        { key: 'score', show: (score) => Number(score).toFixed(3) },
        ...noteColumns(answer.findings),
        { key: 'link', leaveOut: 'middle' },
      ],
    },
  ],
  remarks: ({ gaps, gapsTotal }) => gapSentences(gaps, gapsTotal),
  nothing: (answer, { views, input }) => (answer.findings.length === 0 ? none(views, input) : undefined),
  pictures: [
    {
      ...timelinePicture,
      draw: (_, { views, input: { episode } }) =>
        episode === undefined
          ? E.left({
              code: 'incomplete',
              message: 'a picture is of one episode',
              hint: '--episode <id> says which',
            })
          : E.right(timelineSvg(timelineOf(views, episode))),
    },
  ],
  examples: [
    ['findings gurgle', 'everything of that name'],
    ['findings --episode tbtl-4611', 'its timeline'],
    ['findings --episode tbtl-4611 --output timeline.svg', 'as a picture for a browser, or for print'],
    ['findings --clip gurgle-17 --format csv', 'for a spreadsheet'],
  ],
})

/**
 * Reason why there is no finding. A clip that was not found has a result; one that was not searched for has none (X10).
 * Leases do not matter here.
 */
const none = (views: Views, { episode, clip }: Pick<FindingScope, 'episode' | 'clip'>): string => {
  if (episode !== undefined && row(views, episodeResults, is('episode', episode))?.soundless === 1)
    return `${episode} is silent: no channel has any sound, so nothing can be found in it; see whether its recording is the right one`
  const [of] =
    episode !== undefined
      ? episodeProgress(views, '', { episode })
      : clip !== undefined
        ? clipProgress(views, { clip })
        : []
  if (!of || (episode !== undefined && clip !== undefined))
    return 'no match: `fonds research progress` tells how much has been looked for'
  return episode !== undefined
    ? `no clip was found in ${episode}; ${count(of.researched)} of ${plural(of.pairs, 'clip')} ${of.researched === 1 ? 'was' : 'were'} looked for`
    : `${clip} was found in no episode; it was looked for in ${count(of.researched)} of ${plural(of.pairs, 'episode')}`
}
