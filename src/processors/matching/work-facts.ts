import { UnavailableError } from '../../async/unavailable.ts'
import { idOf, type RecordedEvent } from '../../domain/kernel/event.ts'
import { workEvents } from '../../domain/matching/events.ts'
import { factOf } from '../../domain/matching/graph/component.ts'
import type { Graph } from '../../domain/matching/graph/graph.ts'
import { whyInvalidWorkId } from '../../domain/matching/work.ts'
import { readOrStop } from '../runtime/read-or-stop.ts'

/**
 * Folds an event of a work into the graph; false if there is nothing to publish of it. Throws `UnavailableError` if it
 * cannot be read, or if no change could name the work.
 */
export const applyWorkEvent = (graph: Graph, event: RecordedEvent): boolean => {
  const { type, data } = readOrStop(workEvents, event)
  const id = idOf(event.stream)
  const invalid = whyInvalidWorkId(id)
  if (invalid)
    throw new UnavailableError(`${event.stream} at position ${event.position}: the id of the work ${invalid}`)
  const revision = Number(event.revision)
  switch (type) {
    case 'WorkObserved':
    case 'WorkCorrected':
      graph.apply(factOf(id, revision, data))
      return true
    case 'WorkHandedOver':
    case 'ResendRequested':
      return graph.touch(id, revision)
  }
}
