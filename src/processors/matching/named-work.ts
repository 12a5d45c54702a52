import { clip } from '../../domain/kernel/clip.ts'
import { is, rowsIfFolded } from '../../domain/kernel/read-views.ts'
import { works } from '../../domain/matching/views.ts'
import type { ViewStore } from '../../ports/view-store.ts'

/** An id with the title of its work: `herbal “A herbal of the Alps”`; the id alone where no title is kept. */
export const namedWork = (views: Pick<ViewStore, 'query'>, work: string): string => {
  const [found] = rowsIfFolded(views, works, { where: [is('work', work)], limit: 1 })
  const title = found?.title?.trim()
  return title ? `${work} “${clip(title, 48)}”` : work
}
