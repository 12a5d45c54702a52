import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { plural } from '../../../domain/kernel/amounts.ts'
import { Flag } from '../../../domain/kernel/text-codecs.ts'
import type { Views } from '../../../domain/kernel/view.ts'
import { whole } from '../../runtime/field.ts'
import { type Alarm, type Question, question } from '../../runtime/question.ts'
import { research } from '../projection.ts'
import type { AskScheduler } from './ask-scheduler.ts'
import { ofClip, ofEpisode, unknownOf } from './known.ts'
import { NextAnswer, nextAnswer } from './next.ts'

/** A pair, in the order in which they are handed out. */
const ItemRow = t.type({ item: t.number, episode: t.string, clip: t.string })

/** X4: the next items, and the reasons. */
export const nextQuestion = (askScheduler: AskScheduler): Question =>
  question({
    name: 'next',
    operationId: 'nextResearch',
    summary: 'What is handed out next, and why; why an episode or a pair is not.',
    projection: research,
    history: 'log',
    needsViews: false,
    input: {
      count: { ...whole(1, 1000), description: 'So many items; 5 unless said.', default: 5 },
      episode: { ...ofEpisode, argument: 'episode' },
      clip: { ...ofClip, argument: 'clip' },
      explain: {
        codec: Flag,
        value: '',
        only: 'command-line',
        description: 'Say why the first one is first, and whether an item is put out at all.',
      },
    },
    answer: NextAnswer,
    returns: 'Every `says` is a sentence for people.',
    rejections: {
      incomplete: { status: 400, description: 'A clip is asked about in an episode: name both.' },
    },
    ask: async (_, { count, episode, clip }, asking) =>
      clip !== undefined && episode === undefined
        ? E.left({ code: 'incomplete', message: 'a pair is a clip in an episode: say which with episode=' })
        : E.right(
            await askScheduler(asking, (scheduler, at) =>
              nextAnswer(scheduler, { at, max: count, episode, clip }),
            ),
          ),
    rows: { row: ItemRow, of: (answer) => itemRows(answer) },
    show: (answer, { input }) => nextLines(answer, input.explain === true || input.episode !== undefined),
    alarm: (answer, { views }) => unknownIn(answer, views),
    examples: [
      ['next --explain', 'the next items, and why these'],
      ['next tbtl-4611', 'why this episode is, or is not, next'],
      ['next tbtl-4611 gurgle-17', 'why this clip is not looked for in it'],
      ['next --as-of 2026-01-31T12:00:00Z', 'what was next that noon'],
    ],
  })

const itemRows = ({ upcoming }: NextAnswer): readonly t.TypeOf<typeof ItemRow>[] =>
  upcoming.flatMap(({ episode, clips }, i) => clips.map((clip) => ({ item: i + 1, episode, clip })))

/** About an episode or clip that nobody has curated there is nothing else to say. */
const unknownIn = ({ episode, pair }: NextAnswer, views: Views): Alarm | undefined => {
  if (episode && isUnknown(episode)) return uncurated('episode', episode.episode, views)
  return pair && isUnknown(pair) ? uncurated('clip', pair.clip, views) : undefined
}

const isUnknown = ({ reasons }: { readonly reasons: readonly { readonly kind: string }[] }): boolean =>
  reasons.some(({ kind }) => kind === 'unknown' || kind === 'unknown-clip')

const uncurated = (subject: 'episode' | 'clip', id: string, views: Views): Alarm => ({
  ...(unknownOf(views, { [subject]: id }) ?? {
    message: `nobody has curated the ${subject} ${id}, though results name it`,
    hint: `send ${subject}.curated on fonds.research.${subject}s: then they count`,
  }),
  unseen: true,
})

const nextLines = (
  { capacity, upcoming, nothing, episode, pair }: NextAnswer,
  explain: boolean,
): readonly string[] => [
  ...(pair ? pair.says : []),
  ...(explain && episode
    ? [
        ...episode.says,
        `${episode.episode}: priority ${episode.priority}${episode.pinned ? ', pinned' : ''}` +
          `${episode.firstCuratedAt ? `, first curated ${episode.firstCuratedAt}` : ''}; of ` +
          `${plural(episode.clips.total, 'clip')} ${episode.clips.researched} researched, ` +
          `${episode.clips.leased} leased, ${episode.clips.open} open`,
      ]
    : []),
  ...(explain ? [capacity.says] : []),
  nothing ?? 'Next:',
  ...upcoming.map(
    (choice, i) =>
      `  ${i + 1}. ${choice.episode}: ${plural(choice.clips.length, 'clip')}${someOf(choice.clips)}`,
  ),
]

const shown = 5

const someOf = (clips: readonly string[]): string =>
  ` (${clips.slice(0, shown).join(', ')}${clips.length > shown ? ', …' : ''})`
