import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import * as t from 'io-ts'
import { plural } from '../../../domain/kernel/amounts.ts'
import { WorkId } from '../../../domain/matching/work.ts'
import { offset, whole } from '../../runtime/field.ts'
import { type Question, question } from '../../runtime/question.ts'
import type { Block } from '../../runtime/shown.ts'
import { matching } from '../projection.ts'
import { QualityLine, StuckLine } from './answers.ts'
import { generation, limitOfEach } from './fields.ts'
import { countOdd, quality } from './quality.ts'
import { knownGeneration, noSuchGeneration } from './rejections.ts'
import { countStuck, type FindUnsent, stuck } from './stuck.ts'
import { withTitle } from './titles.ts'

/** Number of each kind that occurs, listed or not. */
const countsOf = <What extends t.Mixed>(what: What) =>
  t.readonlyArray(t.readonly(t.type({ what, count: t.number })))

export const stuckQuestion = (findUnsent: FindUnsent): Question =>
  question({
    name: 'stuck',
    summary: 'Updates that were accepted and cannot be seen, and graphs with something wrong at rest.',
    description:
      'Works that wait for the matcher, graphs whose documents are not all written, what the topics behind the matcher ' +
      'and the merger have not got, and what is wrong in a graph at rest: each with what to do. What topics had not got is known ' +
      'of now alone: as of a moment it is left out.',
    projection: matching,
    history: 'views',
    input: {
      allowedSeconds: {
        description: 'How long an update may be on its way; 60 unless said.',
        ...whole(0, 1e9),
      },
      what: { description: 'This kind alone.', codec: StuckLine.type.props.what, value: 'kind' },
      work: { description: 'Of this work and its graph alone.', codec: WorkId, value: 'work' },
      offset: { ...offset, description: 'Lines of one kind to pass over; none unless said.' },
      limit: { ...limitOfEach, description: 'Most lines; 100 unless said.' },
      generation,
    },
    answer: t.readonly(
      t.type({ stuck: t.readonlyArray(StuckLine), counts: countsOf(StuckLine.type.props.what) }),
    ),
    returns: 'The oldest first.',
    rejections: noSuchGeneration,
    ask: (viewStore, { generation, ...scope }, { now, eventStore, asOf }) =>
      pipe(
        TE.fromEither(knownGeneration(viewStore, generation)),
        TE.chainTaskK((of) => async () => {
          const unsent = asOf ? [] : await findUnsent({ eventStore, viewStore })
          const asked = { ...of, ...scope, isPast: asOf !== undefined }
          return {
            stuck: stuck(viewStore, now, asked, unsent),
            counts: countStuck(viewStore, now, asked, unsent),
          }
        }),
      )(),
    prints: 'rows',
    rows: { row: StuckLine, of: ({ stuck }) => stuck },
    show: ({ stuck }) => stuck.flatMap((line) => shown(line, `since ${line.since}`)),
    nothing: ({ stuck }) => (stuck.length === 0 ? 'nothing is stuck' : undefined),
    alarm: ({ stuck }) =>
      stuck.length === 0
        ? undefined
        : {
            message: `${plural(stuck.length, 'thing')} stuck`,
            hint: '`fonds matching resend <work>` makes the documents of a graph anew; `fonds start` does what waits',
          },
    examples: [
      ['stuck', 'what waits for longer than a minute; exit code 1 when there is anything'],
      ['stuck --allowed-seconds 0', 'whatever is not at rest'],
    ],
  })

export const qualityQuestion = question({
  name: 'quality',
  summary: 'What somebody should look at in the catalogues: graphs held together by one link, and so on.',
  description:
    'Graphs that one link holds together, ids that many works name and no source describes, graphs too large to be ' +
    'true, records whose content changed while their version did not. The worst come first.',
  projection: matching,
  history: 'views',
  input: {
    alarmSize: {
      description: 'Graphs of so many works or more; 1,000 unless said.',
      ...whole(1, 1e9),
    },
    hubSize: {
      description: 'Ids that no source describes and so many works or more name; 10 unless said.',
      ...whole(1, 1e9),
    },
    what: { description: 'This kind alone.', codec: QualityLine.type.props.what, value: 'kind' },
    offset: { ...offset, description: 'Lines of each kind to pass over; none unless said.' },
    limit: limitOfEach,
    generation,
  },
  answer: t.readonly(
    t.type({ quality: t.readonlyArray(QualityLine), counts: countsOf(QualityLine.type.props.what) }),
  ),
  returns: 'The worst first.',
  rejections: noSuchGeneration,
  ask: (views, { generation, ...scope }, { asOf }) =>
    pipe(
      knownGeneration(views, generation),
      E.map((of) => {
        const asked = { ...of, ...scope, isPast: asOf !== undefined }
        return { quality: quality(views, asked), counts: countOdd(views, asked) }
      }),
    ),
  prints: 'rows',
  rows: { row: QualityLine, of: ({ quality }) => quality },
  show: ({ quality }) => quality.flatMap((line) => shown(line, plural(line.weight, 'work'))),
  nothing: ({ quality }) => (quality.length === 0 ? 'nothing stands out' : undefined),
  examples: [
    ['quality', 'the list'],
    ['quality --format csv > to-check.csv', 'for a spreadsheet'],
  ],
})

/** Each line with its whole sentence, which a column would cut. */
const shown = (
  { what, id, title, says: description }: StuckLine | QualityLine,
  extent: string,
): readonly Block[] => [`${what}  ${withTitle(id, title)}  ${extent}`, `  ${description}`]
