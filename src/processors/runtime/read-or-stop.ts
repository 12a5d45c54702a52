import { UnavailableError } from '../../async/unavailable.ts'
import type { DomainEvent, RecordedEvent } from '../../domain/kernel/event.ts'
import type { EventSet } from '../../domain/kernel/event-set.ts'

/**
 * Decodes an event. A follower of the log never skips one that it cannot read, but waits for a program that can. Throws
 * `UnavailableError`.
 */
export const readOrStop = <E extends DomainEvent>(set: EventSet<E>, event: RecordedEvent): E => {
  const read = set.read(event)
  if (read._tag === 'Left')
    throw new UnavailableError(`${event.stream} at position ${event.position}: ${read.left}`)
  return read.right
}
