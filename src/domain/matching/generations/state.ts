import { defaultRules, type Rules } from '../merged/rules.ts'
import type { GenerationEvent } from './events.ts'

/** The generations that are kept up to date, by number, and the one that readers get. */
export interface Generations {
  readonly live: number
  readonly active: ReadonlyMap<number, Rules>
  /** The highest number ever given: numbers are not used again. */
  readonly last: number
}

export const initial: Generations = { live: 1, active: new Map([[1, defaultRules]]), last: 1 }

export const evolve = (state: Generations, event: GenerationEvent): Generations => {
  switch (event.type) {
    case 'GenerationStarted': {
      const { generation, rules } = event.data
      return { ...state, active: new Map(state.active).set(generation, rules), last: generation }
    }
    case 'GenerationSwitched':
      return { ...state, live: event.data.generation }
    case 'GenerationDropped':
      return {
        ...state,
        active: new Map([...state.active].filter(([generation]) => generation !== event.data.generation)),
      }
  }
}
