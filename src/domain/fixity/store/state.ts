import type { Policy, StoreEvent } from './events.ts'

export interface StoreRegistration {
  readonly kind: Extract<StoreEvent, { type: 'StoreRegistered' }>['data']['kind']
  readonly root?: string
  readonly policy: Policy
}

/** Undefined until the store is registered. */
export type StoreState = StoreRegistration | undefined

export const initial: StoreState = undefined

export const evolve = (state: StoreState, { type, data }: StoreEvent): StoreState => {
  switch (type) {
    case 'StoreRegistered': {
      const { kind, root, policy } = data
      return { kind, policy, ...(root !== undefined && { root }) }
    }
    case 'PolicyChanged':
      return state && { ...state, policy: data.policy }
    case 'StoreCheckRequested':
      return state
  }
}
