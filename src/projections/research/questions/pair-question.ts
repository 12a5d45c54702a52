import * as E from 'fp-ts/lib/Either.js'
import { ClipId, EpisodeId } from '../../../domain/research/terms.ts'
import { question } from '../../runtime/question.ts'
import { research } from '../projection.ts'
import { PairAnswer, type PairRow } from './answers.ts'
import { place } from './clock.ts'
import { gapPlaces } from './gaps.ts'
import { unknownOf, unknownSubject } from './known.ts'
import { speedNote } from './occurrence-note.ts'
import { pair } from './pair.ts'

/** X9, X10: the results and the state of one pair. */
export const pairQuestion = question({
  name: 'pair',
  operationId: 'researchedPair',
  summary: 'Every result that one clip had in one episode, by which engine and researcher.',
  projection: research,
  history: 'log',
  input: {
    episode: { description: 'The episode.', codec: EpisodeId, required: true, argument: 'episode' },
    clip: { description: 'The clip.', codec: ClipId, required: true, argument: 'clip' },
  },
  answer: PairAnswer,
  returns: 'The oldest first; none where nobody has looked.',
  rejections: unknownSubject,
  ask: async (views, { episode, clip }, { eventStore, asOf }) => {
    const answer = await pair(eventStore, episode, clip, asOf)
    const unknown = answer.results.length === 0 ? unknownOf(views, { episode, clip }) : undefined
    return unknown ? E.left(unknown) : E.right(answer)
  },
  rows: { of: (answer) => pairRows(answer) },
  show: (answer) => pairLines(answer),
  examples: [['pair tbtl-4611 gurgle-17', 'what was found, and found before']],
})

const pairRows = ({ episode, clip, results }: PairAnswer): readonly PairRow[] =>
  results.map(({ matches, engine, gaps, ...rest }) => ({
    episode,
    clip,
    offsets: matches.map(({ offset }) => offset).join(' '),
    scores: matches.map(({ score }) => score).join(' '),
    engine: engine.name,
    version: engine.version,
    settings: engine.settings,
    ...rest,
    ...(gaps && { gapOffsets: gaps.places.map(({ offset }) => offset).join(' '), undecoded: gaps.duration }),
  }))

const pairLines = ({ episode, clip, researched, results }: PairAnswer): readonly string[] => [
  researched
    ? `${clip} has been looked for in ${episode}`
    : `${clip} is to be looked for in ${episode}: \`fonds research next ${episode} ${clip}\` says when`,
  ...results.map(({ matches, bestScore, engine, researcher, researchedAt, note, gaps, counts }) => {
    const places = matches
      .map(({ offset, score, speed }) => {
        const how = speed === undefined ? '' : `, ${speedNote(speed)}`
        return `${place(offset)} (${score.toFixed(3)}${how})`
      })
      .join(', ')
    const found = places === '' ? 'not found' : `found at ${places}`
    const best = bestScore === undefined ? '' : `, best score ${bestScore.toFixed(3)}`
    return `${counts ? '→' : ' '} ${researchedAt}: ${found}${best}; ${engine.name} ${engine.version} (${engine.settings}), ${researcher}${note === undefined ? '' : `: ${note}`}${gaps ? `; what cannot be decoded was not searched: at ${gapPlaces(gaps)}` : ''}`
  }),
]
