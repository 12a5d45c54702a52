import { orAway } from '../projections/runtime/fold.ts'
import type { System } from './system.ts'

/**
 * Before anything is folded: views that were folded from another log (the address of the event store was changed), or
 * further than this one goes (it was put back from a copy), are dropped and folded anew. Throws `Away`.
 */
export const bindViews = async ({
  eventStore,
  viewStore,
  log,
}: Pick<System, 'eventStore' | 'viewStore' | 'log'>): Promise<void> => {
  const identity = await orAway(eventStore.identity())
  const [last] = await orAway(eventStore.readBack('end', 1))
  if (viewStore.bindTo(identity, last?.recordedAt ?? null))
    log.warn('the views were folded from another log, or from more than this one holds; they are folded anew')
}
