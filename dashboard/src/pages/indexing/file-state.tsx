import type { Condition } from '../../parts/condition.ts'
import { State } from '../../parts/state.tsx'

const conditions: Readonly<Record<string, Condition>> = {
  new: 'idle',
  indexing: 'well',
  indexed: 'well',
  changed: 'idle',
  failed: 'needs somebody',
  parked: 'stopped',
  withdrawn: 'idle',
  unknown: 'not known',
}

/** What each state means; docs/indexing.md has the same sentences. */
export const fileStates: Readonly<Record<string, string>> = {
  new: 'It is known, and was never indexed.',
  indexing: 'A worker reads it now.',
  indexed: 'It was read whole, or salvaged; the aggregator has its lines in the index within seconds.',
  changed:
    'It is not what it was when it was indexed, or is to be indexed anew; its former lines are in the index.',
  failed: 'Its last attempt failed; it is tried again, or waits to be sighted again.',
  parked: 'It failed too often, or a person parked it: it waits for a person.',
  withdrawn: 'It is not to be in the index.',
  unknown: 'Its name does not say what it is: it waits for somebody to say so.',
}

export const FileState = ({ state }: { readonly state: string }) => (
  <State is={conditions[state] ?? 'not known'} words={state} />
)
