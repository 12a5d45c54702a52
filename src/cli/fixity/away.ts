import type { System } from '../../app/system.ts'
import { waitUntilIdle } from '../../app/wait-until-idle.ts'
import { isAwayFor } from '../../domain/fixity/store/sightings.ts'
import { sightingsIn, standingIn, stores } from '../../domain/fixity/views.ts'
import { rowsIfFolded } from '../../domain/kernel/read-views.ts'
import { SECOND } from '../../domain/kernel/time.ts'
import type { RowOf } from '../../domain/kernel/view.ts'
import { createFolderStores } from '../../workers/fixity/folder-stores.ts'
import { place, sightingPublisher } from '../../workers/fixity/publish-sighting.ts'
import { fixityContext } from '../../workflows/fixity/context.ts'
import { away as awayFailure, type CliFailure } from '../output/exit-codes.ts'
import { visible } from '../output/text.ts'
import { adviceOnLoss } from './store-away-error.ts'

/** A store of which nothing is found on this machine, and whose absence is no finding yet. */
export interface AwayStore {
  readonly store: string
  readonly since: string
  /** Reason: what was found instead of the content. */
  readonly why: string
}

/**
 * Looks for all folder stores, publishes the results, and waits until the views show them. Processors and projections
 * run here.
 */
export const findStores = async (system: System, source: string): Promise<void> => {
  const folders = createFolderStores({
    ...fixityContext(system),
    // The command itself reports unavailable stores.
    log: system.log.child({}, { level: 'error' }),
    place,
    publish: sightingPublisher(system, source),
    patienceMillis: system.config.stallSeconds * SECOND,
  })
  await folders.readable()
  await waitUntilIdle(system)
}

/** Read from the views: this process or another has looked for the stores. */
export const awayStores = ({
  viewStore,
  clock,
}: Pick<System, 'viewStore' | 'clock'>): readonly AwayStore[] => {
  const now = clock.now()
  return rowsIfFolded(viewStore, stores).flatMap((row) => awayHere(row, now) ?? [])
}

const awayHere = (row: RowOf<typeof stores>, now: string): AwayStore | undefined => {
  const { store } = row
  const sightings = sightingsIn(row)
  if (!isAwayFor(sightings, place) || standingIn(row, now).kind === 'gone') return undefined
  return {
    store,
    since: sightings.since ?? sightings.words[place]?.at ?? now,
    why: row.away ?? 'nothing of it is found',
  }
}

/** Exit code 3; `also` is added to the message. */
export const awayFailureOf = (
  stores: readonly (AwayStore & { readonly items?: number })[],
  also = '',
): CliFailure | undefined => {
  const [first] = stores
  if (!first) return undefined
  const sentence = stores.map(
    ({ store, since, why }) => `store ${store} is away since ${since}: ${visible(why)}`,
  )
  return awayFailure([...sentence, also].filter((text) => text !== '').join('; '), adviceOnLoss(first.store))
}
