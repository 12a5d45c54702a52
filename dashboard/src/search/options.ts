import type { Answer } from '../api/client.ts'
import { pages } from '../pages/pages.ts'
import { count, moment as momentInWords } from '../parts/words.ts'
import { recent } from './recent.ts'
import type { Wanted } from './wanted.ts'

type Found = Answer<'/api/v1/search'>

/** A line that can be chosen: it opens a page, or shows the archive as of a moment. */
export interface Option {
  readonly title: string
  readonly note: string
  readonly to: { readonly page: string } | { readonly moment: string }
}

export interface Group {
  readonly title: string
  readonly options: readonly Option[]
}

/** What the box lists: for nothing typed what was opened last. */
export const groupsOf = (wanted: Wanted, found: Found | undefined): readonly Group[] => {
  if (wanted.text === '' && !wanted.kind)
    return someOf(
      'Opened last',
      recent().map(({ title, note, page }) => ({ title, note, to: { page } })),
    )
  return [
    ...someOf('Moments', wanted.moment === undefined ? [] : [momentOption(wanted.moment)]),
    ...(found?.groups ?? []).flatMap(serverGroup),
    ...someOf('Pages', wanted.hasPages ? pagesFor(wanted.text) : []),
  ]
}

const someOf = (title: string, options: readonly Option[]): readonly Group[] =>
  options.length > 0 ? [{ title, options }] : []

const momentOption = (at: string): Option => ({
  title: 'Show the archive as of then',
  note: momentInWords(new Date(at)),
  to: { moment: at },
})

/** Those with a page: views and questions are of the command line. */
const serverGroup = ({ title, hits, total, isAll }: Found['groups'][number]): readonly Group[] => {
  const options = hits.flatMap(({ id, title: name, note, page }) =>
    page === undefined
      ? []
      : [
          {
            title: id,
            note: [name, note].filter((one) => one !== null && one !== '').join(' · '),
            to: { page },
          },
        ],
  )
  const all = isAll ? count(total) : `more than ${count(total)}`
  const heading = isAll && total === options.length ? title : `${title} · ${count(options.length)} of ${all}`
  return someOf(heading, options)
}

/** Pages that need no id, by words of their titles. */
const pagesFor = (text: string): readonly Option[] => {
  const words = text.toLowerCase().split(/\s+/)
  return pages.flatMap(({ pattern, title }) =>
    typeof title === 'string' &&
    !pattern.includes(':') &&
    words.every((word) => title.toLowerCase().includes(word))
      ? [{ title, note: 'page', to: { page: pattern } }]
      : [],
  )
}
