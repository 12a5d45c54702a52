import { type Curated, evolveCuration } from '../curating.ts'
import { type Failures, failuresOf, noFailures } from '../failing.ts'
import type { ClipEvent } from './events.ts'

export interface ClipState {
  readonly curation: Curated
  readonly failures: Failures
}

export const initial: ClipState = { curation: undefined, failures: noFailures }

export const evolve = (state: ClipState, event: ClipEvent): ClipState => {
  switch (event.type) {
    case 'ClipFailed':
      return { ...state, failures: failuresOf(event.data) }
    case 'Retried':
      return { ...state, failures: noFailures }
    default:
      return { ...state, curation: evolveCuration(state.curation, event) }
  }
}
