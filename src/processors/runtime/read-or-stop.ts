import type { DomainEvent, RecordedEvent } from '../../domain/kernel/event.ts'
import type { EventSet } from '../../domain/kernel/event-set.ts'
import { Away } from '../../ports/away.ts'

/** Who goes along the log never skips what it cannot read: it waits before it, for a program that can. Throws `Away`. */
export const readOrStop = <E extends DomainEvent>(set: EventSet<E>, event: RecordedEvent): E => {
  const read = set.read(event)
  if (read._tag === 'Left') throw new Away(`${event.stream} at position ${event.position}: ${read.left}`)
  return read.right
}
