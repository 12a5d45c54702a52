import type { RecordedEvent } from '../../domain/kernel/event.ts'
import { episodeStream } from '../../domain/research/terms.ts'

/**
 * An episode whose stream was deleted, which is no event: the scheduler state would choose it for ever. This event, which
 * is never stored, withdraws it there.
 */
export const goneEpisode = (episode: string, actor: string, at: string): RecordedEvent => ({
  id: '',
  type: 'Withdrawn',
  stream: episodeStream(episode),
  revision: -1n,
  position: -1n,
  recordedAt: at,
  data: { curator: actor, reason: 'its stream was deleted', at },
  metadata: { actor, causationId: '', correlationId: '', schema: 1 },
})
