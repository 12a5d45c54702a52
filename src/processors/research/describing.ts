import type { WorkItem } from '../../domain/research/messages.ts'
import { Away } from '../../ports/away.ts'
import type { ViewStore } from '../../ports/view-store.ts'
import { recentCache } from '../runtime/recent-cache.ts'

type Described = WorkItem['clips'][number]

/** What items say of episodes and clips, by the views. */
export interface Describing {
  /** Both throw `Away` where the views do not know it. */
  episode(id: string): Described
  /** As it was when it was looked up: item after item is of the same clips. */
  clip(id: string): Described
  /** It may have changed. */
  forget(clip: string): void
}

/** More clips than are ever in turn. Their descriptions are of any length. */
const mostClips = 20_000

export const describing = (viewStore: Pick<ViewStore, 'query'>): Describing => {
  const known = recentCache<Described>(mostClips)

  const lookUp = (subject: 'episode' | 'clip', id: string): Described => {
    const where = [{ column: subject, is: '=', value: id } as const]
    const [row] = viewStore.query(`research-${subject}s`, { where })
    const { title, mediaUri, mediaType, description } = row ?? {}
    if (typeof title !== 'string' || typeof mediaUri !== 'string' || typeof mediaType !== 'string')
      throw new Away(
        `${subject} ${id} was leased, but the view research-${subject}s does not know it; rebuild the research views`,
      )
    return { id, title, mediaUri, mediaType, ...(typeof description === 'string' && { description }) }
  }

  return {
    episode: (id) => lookUp('episode', id),
    forget: known.delete,
    clip(id) {
      const found = known.get(id) ?? lookUp('clip', id)
      known.set(id, found)
      return found
    },
  }
}
