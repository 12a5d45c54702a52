import { awaySecondsOf, type Policy, type StoreEvent } from './events.ts'
import { storeRoot } from './root.ts'
import { found, noSightings, notFound, type Sightings, unavailableTooLong } from './sightings.ts'

export interface StoreRegistration {
  readonly kind: Extract<StoreEvent, { type: 'StoreRegistered' }>['data']['kind']
  readonly root?: string
  readonly policy: Policy
  readonly sightings: Sightings
}

/** Undefined until the store is registered. */
export type StoreState = StoreRegistration | undefined

export const initial: StoreState = undefined

export const evolve = (state: StoreState, event: StoreEvent): StoreState => {
  if (event.type === 'StoreRegistered') {
    const { kind, root, policy } = event.data
    return { kind, policy, sightings: noSightings, ...(root !== undefined && { root: storeRoot(root) }) }
  }
  if (!state) return state
  // Nobody has looked for it there yet.
  if (event.type === 'StoreMoved')
    return { ...state, root: storeRoot(event.data.root), sightings: noSightings }
  if (event.type === 'PolicyChanged') return { ...state, policy: event.data.policy }
  return { ...state, sightings: sighted(state.sightings, event, awaySecondsOf(state.policy)) }
}

/** Applies an event to the sightings of a store. `awaySeconds` is the policy's at the time. */
export const sighted = (sightings: Sightings, { type, data }: StoreEvent, awaySeconds: number): Sightings => {
  switch (type) {
    case 'StoreAway':
      return notFound(sightings, data, awaySeconds)
    case 'StoreReturned':
      return found(sightings, data.place, data.at)
    case 'StoreGone':
      return unavailableTooLong(sightings, data.at)
    default:
      return sightings
  }
}
