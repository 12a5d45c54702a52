import { setImmediate } from 'node:timers/promises'
import * as E from 'fp-ts/lib/Either.js'
import type * as t from 'io-ts'
import { count } from '../../../domain/kernel/amounts.ts'
import { Text } from '../../../domain/kernel/codecs.ts'
import { is, narrowRows, row } from '../../../domain/kernel/read-views.ts'
import type { Views } from '../../../domain/kernel/view.ts'
import { placeholders, works } from '../../../domain/matching/views.ts'
import { offset, whole } from '../../runtime/field.ts'
import { question } from '../../runtime/question.ts'
import { matching } from '../projection.ts'
import { SearchAnswer, WorkFound } from './answers.ts'

const pageSize = 2000
/** Most titles read, in the order of ids: titles have no index. */
const maxTitles = 1_000_000

export const searchQuestion = question({
  name: 'search',
  summary: 'Works by their id, its beginning, or words of their title.',
  description:
    'Those whose id is or begins with the text come first, then those whose title has all of its words, in whatever case.',
  projection: matching,
  history: 'views',
  input: {
    text: {
      description: 'An id, its beginning, or words of a title.',
      codec: Text,
      required: true,
      example: 'herbal',
      argument: 'text',
      words: true,
    },
    offset: { ...offset, description: 'Works to pass over; none unless said.' },
    limit: { description: 'Most works; 50 unless said.', ...whole(1, 1000), default: 50 },
  },
  answer: SearchAnswer,
  returns: 'Works, the best first, and how many there are.',
  ask: async (views, { text, ...page }) => E.right(await search(views, text.trim(), page)),
  prints: 'rows',
  rows: { row: WorkFound, of: ({ works }) => works },
  show: ({ works }) => [
    { rows: works, columns: [{ key: 'work' }, { key: 'title' }, { key: 'source' }, { key: 'state' }] },
  ],
  nothing: ({ works }, { input }) =>
    works.length === 0 ? `no id begins with ${input.text}, and no title has its words` : undefined,
  remarks: ({ works, total, isWhole }) => [
    ...(total > works.length ? [`${count(works.length)} of ${count(total)}: --offset shows others`] : []),
    ...(isWhole ? [] : [`${count(maxTitles)} titles were read: there may be more`]),
  ],
  examples: [
    ['search h3xb', 'ids that begin so'],
    ['search gentian plate', 'titles with both words'],
  ],
})

interface Page {
  readonly offset: number
  readonly limit: number
}

export const search = async (
  store: Views,
  text: string,
  { offset, limit }: Page,
): Promise<t.TypeOf<typeof SearchAnswer>> => {
  const placeholder = row(store, placeholders, is('id', text))
  const begin = { column: 'work', is: 'prefix', value: text } as const
  const ids = narrowRows(store, works, ['work'], { where: [begin] }).map(({ work }) => work)
  let read = 0
  for await (const page of titles(store)) {
    for (const { work, title } of page) if (!work.startsWith(text) && hasWords(title, text)) ids.push(work)
    read += page.length
    if (read >= maxTitles) break
  }
  const found = placeholder ? [placeholder.id, ...ids] : ids
  return {
    works: described(store, found.slice(offset, offset + limit)),
    total: found.length,
    isWhole: read < maxTitles,
  }
}

const columns = ['work', 'title', 'source', 'state'] as const

/** Reads works one by one: in the history, too, a row is found by its key. */
const described = (store: Views, ids: readonly string[]): readonly WorkFound[] =>
  ids.map(
    (work) =>
      narrowRows(store, works, columns, { where: [is('work', work)] })[0] ?? {
        ...{ work, title: null, source: null },
        state: 'placeholder',
      },
  )

/** All works by their ids, page by page: other questions are answered in between. */
async function* titles(store: Views) {
  for (let after = ''; ; await setImmediate()) {
    const page = narrowRows(store, works, ['work', 'title'], {
      where: [{ column: 'work', is: '>', value: after }],
      orderBy: [{ column: 'work' }],
      limit: pageSize,
    })
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
