import { sideBySide } from '../../async/side-by-side.ts'
import { envelopeOf, executeStep } from './execute-step.ts'
import type { ExecuteTogether, Planned } from './execute-together.ts'
import { type Finished, finishRecord } from './finish-record.ts'
import type { OutcomeDependencies } from './outcomes.ts'
import type { StepResult } from './results.ts'
import { type Step, streamQueues } from './steps.ts'
import type { StreamHealth } from './stream-health.ts'

export interface StreamWorkDependencies extends OutcomeDependencies {
  /** Absent where the log takes each append in a call of its own: there is nothing to be gained then. */
  readonly executeTogether?: ExecuteTogether
}

export interface OpenSteps {
  readonly steps: readonly Step[]
  /** Names the partition in what is said of its health. */
  readonly partition: string
  /** Aborts when the partition is no longer ours. */
  readonly signal: AbortSignal
  /** Records are added one by one, so that those which are finished stay so when others fail. */
  readonly finished: Finished[]
}

/** Commands decided together, and streams at work side by side: other partitions want to write meanwhile. */
const maxAtOnce = 500

/**
 * Does the commands of a batch, in order in each stream: together as far as that goes, then what is left, streams side by side.
 * What is aborted stays unfinished. Throws the first failure, once nothing is at work any more.
 */
export const streamWorker = (processor: string, deps: StreamWorkDependencies, health: StreamHealth) => {
  const { executeTogether } = deps

  /** A record is finished with the last of its commands. */
  const conclude = ({ of }: Step, result: StepResult, finished: Finished[]): Promise<void> | undefined => {
    const { record, routes } = of
    const results = routes.length === 1 ? [result] : of.results
    if (routes.length > 1) results.push(result)
    if (results.length < routes.length) return undefined
    const done = finishRecord(processor, deps, record, results)
    if (done instanceof Promise) return done.then((one) => void finished.push(one))
    finished.push(done)
    return undefined
  }

  /** Answers with what is left: the commands that are no plain case, and all behind them on their streams. */
  const runTogether = async (
    execute: ExecuteTogether,
    { steps, partition, signal, finished }: OpenSteps,
  ): Promise<readonly Step[]> => {
    const left: Step[] = []
    const waiting = new Set<string>()
    for (let i = 0; i < steps.length && !signal.aborted; i += maxAtOnce) {
      const some: Step[] = []
      for (const step of steps.slice(i, i + maxAtOnce))
        (waiting.has(step.route.stream) ? left : some).push(step)
      const results = await health.watch(partition, signal, () => execute(some.map(planOf)))
      for (let n = 0; n < some.length; n++) {
        const step = some[n]!
        const { stream } = step.route
        const result = results[n]
        if (result === undefined) {
          left.push(step)
          waiting.add(stream)
          continue
        }
        step.span?.end()
        health.recovered(stream)
        const finishing = conclude(step, result, finished)
        if (finishing) await finishing
      }
    }
    return left
  }

  /** One after the other. */
  const runQueue = async (steps: readonly Step[], { signal, finished }: OpenSteps, onStep: () => void) => {
    for (const step of steps) {
      if (signal.aborted) break
      await conclude(step, await executeStep(processor, deps, step), finished)
      onStep()
    }
  }

  return async (open: OpenSteps): Promise<void> => {
    const left = executeTogether ? await runTogether(executeTogether, open) : open.steps
    const running = sideBySide(streamQueues(left), maxAtOnce, ([stream, steps]) =>
      health.watch(stream, open.signal, (onStep) => runQueue(steps, open, onStep)),
    )
    health.report()
    await running
  }
}

const planOf = (step: Step): Planned => ({ decider: step.route.decider, envelope: envelopeOf(step) })
