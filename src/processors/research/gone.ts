import type { RecordedEvent } from '../../domain/kernel/event.ts'
import { episodeStream } from '../../domain/research/terms.ts'

/**
 * An episode of which the log tells, while its own stream says nothing: that was deleted, which is no event. To the board,
 * that would choose it for ever, it is one that was withdrawn. Never stored.
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
