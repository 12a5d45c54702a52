import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { stores } from '#src/domain/fixity/views.ts'
import { is, rows } from '#src/domain/kernel/read-views.ts'
import { Flag } from '#src/domain/kernel/text-codecs.ts'
import { fixity } from '#src/projections/fixity/projection.ts'
import { whole } from '#src/projections/runtime/field.ts'
import { list, question } from '#src/projections/runtime/question.ts'
import { columns } from '#src/projections/runtime/shown.ts'
import { emptyWorkflow, type Workflow } from '#src/workflows/workflow.ts'

const Bird = t.intersection([t.type({ bird: t.string, eggs: t.number }), t.partial({ note: t.string })])
const all: readonly t.TypeOf<typeof Bird>[] = [
  { bird: 'heron', eggs: 4 },
  { bird: '=owl', eggs: 2, note: 'seen, at night' },
]
const common = { projection: fixity, examples: [['…', 'one of them']] } as const

const flock = list({
  ...common,
  name: 'flock',
  summary: 'The birds that there are.',
  history: 'views',
  input: { least: { ...whole(0, 9), description: 'With so many eggs or more.', default: 0 } },
  row: Bird,
  ask: (_, { least, limit }) => all.filter(({ eggs }) => eggs >= least).slice(0, limit),
  columns: columns('bird', 'eggs'),
  none: 'no bird lays so many',
})

const nest = question({
  ...common,
  name: 'nest',
  path: 'nests/{store}',
  summary: 'The nest in a store.',
  history: 'views',
  input: {
    store: { codec: t.string, description: 'Its name.', required: true, argument: 'store' },
    season: { codec: t.keyof({ spring: null, autumn: null }), description: 'The season.', required: 'http' },
    loud: { codec: Flag, description: 'In capitals.', value: '', only: 'command-line' },
  },
  answer: t.type({ store: t.string, at: t.string, season: t.string }),
  returns: 'The nest.',
  rejections: { 'no-such-nest': { status: 404, description: 'Nobody nests there.' } },
  ask: (views, { store, season = 'spring' }, { now }) =>
    rows(views, stores, { where: [is('store', store)] }).length > 0
      ? E.right({ store, at: now, season })
      : E.left({
          code: 'no-such-nest',
          message: `nobody nests in ${store}`,
          ids: [store],
          hint: 'look in the reeds',
        } as const),
  show: ({ store }, { input: { loud } }) => [loud === true ? store.toUpperCase() : store],
  remarks: () => ['do not disturb'],
  alarm: ({ season }) => (season === 'autumn' ? { message: 'it is empty' } : undefined),
  pictures: [
    {
      format: 'svg',
      contentType: 'image/svg+xml',
      policy: "default-src 'none'",
      draw: ({ store }) => E.right(`<svg>${store}</svg>`),
    },
  ],
  canonical: ({ store }) => ({ store: `${store}/nest` }),
})

const thorough = question({
  ...common,
  name: 'thorough',
  summary: 'Takes long.',
  only: 'command-line',
  input: { names: { codec: t.string, description: 'Names.', argument: 'names', pair: true } },
  answer: t.UnknownRecord,
  returns: 'What was said.',
  ask: (_, input, { isShared }) => E.right({ ...input, isShared }),
  show: (answer) => [JSON.stringify(answer)],
})

/** A workflow that is asked things, and does nothing else. */
export const birds: Workflow = {
  ...emptyWorkflow,
  name: 'birds',
  summary: 'what flies?',
  description: 'Birds.',
  questions: { flock: async () => flock, nest: async () => nest, thorough: async () => thorough },
}
