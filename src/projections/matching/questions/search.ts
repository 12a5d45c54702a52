import { setImmediate } from 'node:timers/promises'
import * as E from 'fp-ts/lib/Either.js'
import type * as t from 'io-ts'
import { Text } from '../../../domain/kernel/codecs.ts'
import { type ConditionOn, is, narrowRows, row } from '../../../domain/kernel/read-views.ts'
import type { Views } from '../../../domain/kernel/view.ts'
import { placeholders, works } from '../../../domain/matching/views.ts'
import { whole } from '../../runtime/field.ts'
import { question } from '../../runtime/question.ts'
import { matching } from '../projection.ts'
import { SearchAnswer, WorkFound } from './answers.ts'

const pageSize = 2000
/** Titles have no index: of larger catalogues so many are read, in the order of ids. */
const maxTitles = 500_000

export const searchQuestion = question({
  name: 'search',
  summary: 'Works by their id, its beginning, or words of their title.',
  description:
    'Those whose id is or begins with the text come first, then those whose title has all of its words, in whatever case.',
  projection: matching,
  past: 'views',
  input: {
    text: {
      says: 'An id, its beginning, or words of a title.',
      codec: Text,
      required: true,
      example: 'herbal',
      argument: 'text',
    },
    limit: { says: 'Most works; 50 unless said.', ...whole(1, 1000), default: 50 },
  },
  answer: SearchAnswer,
  returns: 'Works, the best first.',
  ask: async (views, { text, limit }) => E.right(await search(views, text.trim(), limit)),
  prints: 'rows',
  rows: { row: WorkFound, of: ({ works }) => works },
  show: ({ works }) => [
    { rows: works, columns: [{ key: 'work' }, { key: 'title' }, { key: 'source' }, { key: 'state' }] },
  ],
  nothing: ({ works }, { input }) =>
    works.length === 0 ? `no id begins with ${input.text}, and no title has its words` : undefined,
  remarks: ({ isWhole }) => (isWhole ? [] : ['there may be more']),
  examples: [
    ['search h3xb', 'ids that begin so'],
    ['search "gentian plate"', 'titles with both words'],
  ],
})

type Found = t.TypeOf<typeof WorkFound>

export const search = async (
  store: Views,
  text: string,
  limit: number,
): Promise<t.TypeOf<typeof SearchAnswer>> => {
  const found = new Map(byId(store, text, limit + 1).map((one) => [one.work, one]))
  let read = 0
  for await (const page of pages(store)) {
    for (const one of page) if (hasWords(one.title, text)) found.set(one.work, one)
    read += page.length
    if (found.size > limit || read >= maxTitles) break
  }
  return { works: [...found.values()].slice(0, limit), isWhole: found.size <= limit && read < maxTitles }
}

const columns = ['work', 'title', 'source', 'state'] as const

const worksWhere = (
  store: Views,
  limit: number,
  ...where: readonly ConditionOn<typeof works>[]
): readonly Found[] => narrowRows(store, works, columns, { where, orderBy: [{ column: 'work' }], limit })

/** The id itself, an id that nobody described, then ids that begin so. */
const byId = (store: Views, text: string, limit: number): readonly Found[] => {
  const placeholder = row(store, placeholders, is('id', text))
  return [
    ...worksWhere(store, 1, is('work', text)),
    ...(placeholder
      ? [{ work: placeholder.id, title: null, source: null, state: 'placeholder' as const }]
      : []),
    ...worksWhere(store, limit, { column: 'work', is: 'prefix', value: text }),
  ]
}

/** All works by their ids, page by page: other questions are answered in between. */
async function* pages(store: Views): AsyncGenerator<readonly Found[]> {
  for (let after = ''; ; await setImmediate()) {
    const page = worksWhere(store, pageSize, { column: 'work', is: '>', value: after })
    yield page
    const last = page.at(-1)
    if (!last || page.length < pageSize) return
    after = last.work
  }
}

const hasWords = (title: string | null, text: string): boolean => {
  const within = title?.toLocaleLowerCase('en')
  return (
    within !== undefined &&
    text
      .toLocaleLowerCase('en')
      .split(/\s+/u)
      .every((word) => within.includes(word))
  )
}
