import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { WorkState } from '../../../domain/ingest/transitions.ts'
import { type Step, StepFailure, type Steps } from './step.ts'

/*
 * N14: makes steps fail in a test environment. A file in the folder that is named like a state fails each job there
 * before its step, `<state>-after` once the step has done its work. The files are read each time, so that they may come
 * and go.
 */

/** Throws `StepFailure`, with the content of the file, if any. */
export const failIfAsked = async (folder: string, name: WorkState | `${WorkState}-after`): Promise<void> => {
  const file = join(folder, name)
  const content = await readFile(file, 'utf8').catch(() => undefined)
  if (content === undefined) return
  throw new StepFailure(`it fails on purpose, as ${file} is there${content.trim() && `: ${content.trim()}`}`)
}

/** Wraps steps so that these files make them fail. */
export const failingOnPurpose = (steps: Steps, folder: string): Steps =>
  Object.fromEntries(
    (Object.keys(steps) as WorkState[]).map((state) => {
      const step = steps[state] as Step<WorkState>
      const failing: Step<WorkState> = async (job, tools, context) => {
        await failIfAsked(folder, state)
        const result = await step(job, tools, context)
        await failIfAsked(folder, `${state}-after`)
        return result
      }
      return [state, failing]
    }),
  ) as unknown as Steps
