import { orThrow } from '../async/unavailable.ts'
import type { IndexPlace } from '../domain/indexing/index-place.ts'
import type { WorkflowContext } from './workflow.ts'

/** Throws `UnavailableError`. */
export const indexPlace = async ({
  captureIndex,
  eventStore,
}: Pick<WorkflowContext, 'captureIndex' | 'eventStore'>): Promise<IndexPlace> => ({
  reached: await captureIndex().position(),
  end: await orThrow(eventStore.head()),
})
