import { is } from '../../domain/kernel/read-views.ts'
import { placeholders, works } from '../../domain/matching/views.ts'
import { beginning, findRows } from '../runtime/find-rows.ts'
import { commandLine, type Finder, type Hit, pageAt } from '../runtime/finder.ts'
import { matching } from './projection.ts'

const worksFinder: Finder = {
  kind: 'matching-works',
  title: 'Works',
  projection: matching,
  find: ({ views }, { text, limit }) =>
    findRows(works, {
      views,
      limit,
      ways: [beginning('work', text), { words: text, onlyNow: 'titles of works' }],
      hitOf: ({ work, title, source, state }) => ({
        ...placeOf(work),
        title,
        note: `${state}, of ${source}`,
        isExact: work === text || title === text,
      }),
    }),
}

const placeholdersFinder: Finder = {
  kind: 'matching-placeholders',
  title: 'Works that no source described',
  projection: matching,
  find: ({ views }, { text, limit }) =>
    findRows(placeholders, {
      views,
      limit,
      ways: [{ where: [is('id', text)] }],
      hitOf: ({ id, namedBy }) => ({ ...placeOf(id), note: `links to it: ${namedBy}`, isExact: true }),
    }),
}

const placeOf = (work: string): Pick<Hit, 'id' | 'command' | 'page'> => ({
  id: work,
  command: commandLine('matching graph', work),
  page: pageAt`/matching/graphs/${work}`,
})

export const matchingFinders: readonly Finder[] = [worksFinder, placeholdersFinder]
