import { type WorkState, workStates } from '../../../domain/ingest/transitions.ts'
import type { Step, Steps } from './step.ts'

/** The steps of jobs, whose code is loaded with the first one: a process may wait for days until there is a job. */
export const loadedSteps: Steps = Object.fromEntries(
  workStates.map((state: WorkState) => {
    const step: Step<WorkState> = async (...of) => {
      const { steps } = await import('./steps.ts')
      return (steps[state] as Step<WorkState>)(...of)
    }
    return [state, step]
  }),
) as unknown as Steps
