import { anomalies as anomaliesView } from '../../../domain/research/views.ts'
import { list } from '../../runtime/question.ts'
import { rowCodec } from '../../runtime/row-codec.ts'
import { columns, toTheSecond } from '../../runtime/shown.ts'
import { research } from '../projection.ts'
import { anomalies } from './anomalies.ts'
import { ClipProgress, Decision, EpisodeProgress, LiveLease, Parked, Researcher } from './answers.ts'
import { clipProgress, countClips } from './clip-progress.ts'
import { decisions } from './decisions.ts'
import { countEpisodes, episodeProgress } from './episode-progress.ts'
import { ofClip, ofEpisode, unknownOf, unknownSubject } from './known.ts'
import { inSeconds, stateColumn } from './list-columns.ts'
import { liveLeases } from './live-leases.ts'
import { parked } from './parked.ts'
import { researchers } from './researchers.ts'

const common = { projection: research, history: 'views' } as const

/** The questions that are answered with rows of their own name, by it. */
export const lists = {
  episodes: list({
    ...common,
    name: 'episodes',
    summary: 'How far each episode is, in the order in which they are handed out.',
    row: EpisodeProgress,
    ask: (views, page, { now }) => episodeProgress(views, now, page),
    total: countEpisodes,
    columns: [
      ...columns('episode', 'title'),
      stateColumn,
      ...columns('priority', 'researched', 'leased', 'open', 'found'),
    ],
    none: 'there is no episode yet: `fonds research add episodes <folder>` records sound files',
    examples: [['episodes', 'a line an episode']],
  }),
  clips: list({
    ...common,
    name: 'clips',
    summary: 'In how many episodes each clip was looked for, and found.',
    row: ClipProgress,
    ask: clipProgress,
    total: countClips,
    columns: [
      ...columns('clip', 'title'),
      stateColumn,
      ...columns('priority', 'researched', 'open', 'found', 'occurrences'),
    ],
    none: 'there is no clip yet: `fonds research add clips <folder>` records sound files',
    examples: [['clips', 'a line a clip']],
  }),
  leases: list({
    ...common,
    name: 'leases',
    summary: 'The active leases: who works on what, since when and until when.',
    row: LiveLease,
    ask: (views, _, { now }) => liveLeases(views, now),
    asksAll: true,
    columns: [
      ...columns('lease', 'episode'),
      stateColumn,
      ...columns('researcher', 'clips', 'done', 'open'),
      { key: 'ageSeconds', title: 'age', show: inSeconds },
      { key: 'remainingSeconds', title: 'remaining', show: inSeconds },
    ],
    none: 'no lease is active: `fonds research next --explain` says what is handed out next, or why nothing is',
    examples: [['leases', 'a line a lease that is active']],
  }),
  researchers: list({
    ...common,
    name: 'researchers',
    operationId: 'listResearchers',
    summary: 'Who is there, and what they did.',
    row: Researcher,
    ask: (views, _, { now }) => researchers(views, now),
    asksAll: true,
    columns: [
      { key: 'researcher', leaveOut: 'middle' },
      stateColumn,
      ...columns('leases', 'results', 'found', 'failures'),
      { key: 'lastResultAt', title: 'last result', show: toTheSecond },
    ],
    none: 'no researcher was ever here: `fonds start` runs some, `fonds worker researcher` more',
    examples: [['researchers', 'a line a researcher']],
  }),
  capacity: list({
    ...common,
    name: 'capacity',
    summary: 'The last decisions on whether more work is put out, and why; the latest first.',
    row: Decision,
    ask: (views, { limit }) => decisions(views, limit),
    columns: [
      { key: 'at', show: toTheSecond },
      ...columns('researchers', 'queued', 'position', 'added', 'says'),
    ],
    none: 'nothing was decided yet: `fonds start` hands out work',
    examples: [['capacity', 'the last decisions, the latest first']],
  }),
  parked: list({
    ...common,
    name: 'parked',
    summary: 'What failed too often and waits for a person, with the command that has it tried again.',
    row: Parked,
    input: { episode: ofEpisode, clip: ofClip },
    rejections: unknownSubject,
    reject: (views, of) => unknownOf(views, of),
    ask: (views, { episode, clip }) =>
      parked(views)
        .filter((one) => episode === undefined || one.episode === episode)
        .filter((one) => clip === undefined || one.clip === clip),
    asksAll: true,
    columns: columns('subject', 'episode', 'clip', 'failures', 'error', 'remedy'),
    none: 'nothing is parked',
    examples: [
      ['parked', 'a line an episode, clip or pair'],
      ['parked --episode tbtl-4611', 'what of it is parked'],
    ],
  }),
  anomalies: list({
    ...common,
    name: 'anomalies',
    summary:
      'Results outside their lease, late or twice; results and failures of things unknown; media that changed or are double. The latest first.',
    row: rowCodec(anomaliesView),
    ask: (views, { limit }) => anomalies(views, { limit }),
    columns: [...columns('kind', 'times'), { key: 'at', show: toTheSecond }, ...columns('says')],
    none: 'nothing odd has happened',
    examples: [['anomalies', 'the latest first']],
  }),
}
