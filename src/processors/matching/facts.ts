import { idOf, type RecordedEvent } from '../../domain/kernel/event.ts'
import { type Facts, workEvents } from '../../domain/matching/events.ts'
import type { Fact } from '../../domain/matching/graph/component.ts'
import type { Graph } from '../../domain/matching/graph/graph.ts'
import { idFault } from '../../domain/matching/work.ts'
import { Away } from '../../ports/away.ts'
import { readOrStop } from '../runtime/read-or-stop.ts'

/** What a source said of a work, as the graph takes it. */
export const factOf = (id: string, revision: number, { state, links }: Facts): Fact => ({
  id,
  revision,
  deleted: state === 'deleted',
  links: links.map(({ to }) => to),
})

/**
 * Brings an event of a work into the graph; false where that changes nothing that could be told. Throws `Away` where it
 * cannot be read, or where no change could name the work.
 */
export const foldWork = (graph: Graph, event: RecordedEvent): boolean => {
  const { type, data } = readOrStop(workEvents, event)
  const id = idOf(event.stream)
  const fault = idFault(id)
  if (fault) throw new Away(`${event.stream} at position ${event.position}: the id of the work ${fault}`)
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
