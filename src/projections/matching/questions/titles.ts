import * as t from 'io-ts'
import { is, narrowRows } from '../../../domain/kernel/read-views.ts'
import type { Views } from '../../../domain/kernel/view.ts'
import { works } from '../../../domain/matching/views.ts'

/** Titles by the ids of their works; an id without one is left out. */
export const Titles = t.readonly(t.record(t.string, t.string), 'titles')
export type Titles = t.TypeOf<typeof Titles>

/** The title of an id; null for an id that has none, or that no source describes. */
export type TitleOf = (id: string) => string | null

/** Null for an empty title, too: it names nothing. */
export const titleOf = (work: { readonly title: string | null } | undefined): string | null =>
  work?.title?.trim() ? work.title : null

/** Reads titles from the views, each once. */
export const titleReader = (store: Pick<Views, 'query'>): TitleOf => {
  const known = new Map<string, string | null>()
  return (id) => {
    const title = known.get(id)
    if (title !== undefined) return title
    const [row] = narrowRows(store, works, ['title'], { where: [is('work', id)], limit: 1 })
    const found = titleOf(row)
    known.set(id, found)
    return found
  }
}

export const titlesOf = (read: TitleOf, ids: Iterable<string>): Titles =>
  Object.fromEntries(
    [...new Set(ids)].flatMap((id) => {
      const title = read(id)
      return title === null ? [] : [[id, title]]
    }),
  )

const longest = 48

/** A title of at most 48 characters, on one line: a longer one ends with `…` behind its last whole word. */
export const shortTitle = (title: string): string => {
  const text = title.trim().replace(/\s+/gu, ' ')
  const characters = Array.from(text)
  if (characters.length <= longest) return text
  const cut = characters.slice(0, longest - 1).join('')
  const lastWord = cut.lastIndexOf(' ')
  // Some scripts have no blanks, and some words are as long as a title.
  const whole = lastWord > cut.length / 2 ? cut.slice(0, lastWord) : cut
  return `${whole.replace(/[\s,;:–—-]+$/u, '')}…`
}

/** An id with its title: `herbal “A herbal of the Alps”`. */
export const withTitle = (id: string, title: string | null | undefined): string =>
  title === null || title === undefined ? id : `${id} “${shortTitle(title)}”`

/** Names ids in sentences: each has its title where it is named first. */
export const namesIn = (titles: Titles): ((id: string) => string) => {
  const named = new Set<string>()
  return (id) => {
    if (named.has(id)) return id
    named.add(id)
    return withTitle(id, Object.hasOwn(titles, id) ? titles[id] : null)
  }
}
