import { estimatedBytes, recentCache } from '@fonds/toolbox'
import { UnavailableError } from '../../async/unavailable.ts'
import { is, row } from '../../domain/kernel/read-views.ts'
import type { Views } from '../../domain/kernel/view.ts'
import { clips, episodes } from '../../domain/research/views.ts'
import type { WorkItem } from '../../domain/research/work-item.ts'

type Subject = 'episode' | 'clip'
type Described = WorkItem['clips'][number]

/** Descriptions of episodes and clips for work items, from the views. */
export interface ItemDescriptions {
  /** Both cache, since consecutive items name the same ids. They throw `UnavailableError` if the views lack the id. */
  episode(id: string): Described
  clip(id: string): Described
  /** The description may have changed. */
  forget(subject: Subject, id: string): void
}

const defaultCacheBytes = 1024 ** 2

/** `cacheBytes`: three quarters for clips, the rest for episodes, whose items come one after the other. */
export const createItemDescriptions = (
  viewStore: Pick<Views, 'query'>,
  cacheBytes = defaultCacheBytes,
): ItemDescriptions => {
  const known = {
    clip: recentCache<Described>((cacheBytes * 3) / 4, estimatedBytes),
    episode: recentCache<Described>(cacheBytes / 4, estimatedBytes),
  }

  const curated = (subject: Subject, id: string) =>
    subject === 'episode'
      ? row(viewStore, episodes, is('episode', id))
      : row(viewStore, clips, is('clip', id))

  const lookUp = (subject: Subject, id: string): Described => {
    const { title, mediaUri, mediaType, description, foreign } = curated(subject, id) ?? {}
    if (typeof title !== 'string' || typeof mediaUri !== 'string' || typeof mediaType !== 'string')
      throw new UnavailableError(
        `${subject} ${id} was leased, but the view research-${subject}s does not know it; rebuild the research views`,
      )
    return {
      id,
      title,
      mediaUri,
      mediaType,
      ...(typeof description === 'string' && { description }),
      ...(foreign === 1 && { foreign: true }),
    }
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
