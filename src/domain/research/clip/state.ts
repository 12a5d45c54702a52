import { type Curated, evolveCuration } from '../curating.ts'
import type { ClipEvent } from './events.ts'

export interface ClipState {
  readonly curation: Curated
  /** Of its own media, in a row. */
  readonly failures: number
}

export const initial: ClipState = { curation: undefined, failures: 0 }

export const evolve = (state: ClipState, event: ClipEvent): ClipState => {
  switch (event.type) {
    case 'ClipFailed':
      return { ...state, failures: event.data.attempt }
    case 'Retried':
      return { ...state, failures: 0 }
    default:
      return { ...state, curation: evolveCuration(state.curation, event) }
  }
}
