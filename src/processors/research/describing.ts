import type { WorkItem } from '../../domain/research/work-item.ts'
import { Away } from '../../ports/away.ts'
import type { ViewStore } from '../../ports/view-store.ts'
import { recentCache } from '../runtime/recent-cache.ts'

type Subject = 'episode' | 'clip'
type Described = WorkItem['clips'][number]

/** What items say of episodes and clips, by the views. */
export interface Describing {
  /** Both as it was when it was looked up: item after item is of the same. They throw `Away` where the views do not know it. */
  episode(id: string): Described
  clip(id: string): Described
  /** It may have changed. */
  forget(subject: Subject, id: string): void
}

/** More clips than are ever in turn, and as many episodes as items wait of. Their descriptions are of any length. */
const most = { clip: 20_000, episode: 1000 }

export const describing = (viewStore: Pick<ViewStore, 'query'>): Describing => {
  const known = { clip: recentCache<Described>(most.clip), episode: recentCache<Described>(most.episode) }

  const lookUp = (subject: Subject, id: string): Described => {
    const where = [{ column: subject, is: '=', value: id } as const]
    const [row] = viewStore.query(`research-${subject}s`, { where })
    const { title, mediaUri, mediaType, description } = row ?? {}
    if (typeof title !== 'string' || typeof mediaUri !== 'string' || typeof mediaType !== 'string')
      throw new Away(
        `${subject} ${id} was leased, but the view research-${subject}s does not know it; rebuild the research views`,
      )
    return { id, title, mediaUri, mediaType, ...(typeof description === 'string' && { description }) }
  }

  const find = (subject: Subject, id: string): Described => {
    const kept = known[subject].get(id)
    if (kept) return kept
    const found = lookUp(subject, id)
    known[subject].set(id, found)
    return found
  }

  return {
    episode: (id) => find('episode', id),
    clip: (id) => find('clip', id),
    forget: (subject, id) => known[subject].delete(id),
  }
}
