import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { ifDeleted, orThrow } from '../../async/unavailable.ts'
import { type Holds, holdDecider } from '../../domain/ingest/hold/decide.ts'
import { type HoldScope, holdStream } from '../../domain/ingest/ids.ts'
import type { StreamStates } from '../runtime/stream-states.ts'

/**
 * The hold on a scope now, by the hold's own stream: a view may lag behind. Undefined if there is none. Throws
 * `UnavailableError`.
 */
export const holdOn = (states: StreamStates, scope: HoldScope): Promise<string | undefined> =>
  pipe(
    () => states.load(holdDecider, holdStream(scope)),
    TE.map(({ state }) => state),
    ifDeleted<string | undefined>(undefined),
    orThrow,
  )

/** The holds that concern the collections of these rows, by collection. */
export const holdsOn = async (
  states: StreamStates,
  rows: readonly { readonly collection: string }[],
): Promise<ReadonlyMap<string, Holds>> => {
  const all = await holdOn(states, 'all')
  const known = [...new Set(rows.map(({ collection }) => collection))].map(async (collection) => {
    const held = await holdOn(states, { collection })
    return [collection, { all, collection: held }] as const
  })
  return new Map(await Promise.all(known))
}
