import type { RecordedEvent } from '../../domain/kernel/event.ts'
import { episodeStream } from '../../domain/research/terms.ts'

/**
 * Withdraws an episode whose stream was deleted from the scheduler state, which would choose it for ever: a deletion is no
 * event. This one is never stored.
 */
export const deletedEpisode = (episode: string, actor: string, at: string): RecordedEvent => ({
  id: '',
  type: 'Withdrawn',
  stream: episodeStream(episode),
  revision: -1n,
  position: -1n,
  recordedAt: at,
  data: { curator: actor, reason: 'its stream was deleted', at },
  metadata: { actor, causationId: '', correlationId: '', schema: 1 },
})
