import { isRight } from 'fp-ts/lib/Either.js'
import { sideBySide } from '../../async/side-by-side.ts'
import type { ExecuteBatch } from './execute.ts'
import { executeStep, planOf } from './execute-step.ts'
import { type Finished, finishRecord } from './finish-record.ts'
import type { OutcomeDependencies } from './outcomes.ts'
import type { StepResult } from './results.ts'
import type { SealsMessages } from './sealed-messages.ts'
import { type Step, streamQueues } from './steps.ts'
import type { StreamHealth } from './stream-health.ts'

export interface StreamWorkDependencies extends OutcomeDependencies, Partial<SealsMessages> {
  /** Absent if the log takes each append in a call of its own: there is then nothing to gain. */
  readonly executeBatch?: ExecuteBatch
}

interface OpenSteps {
  readonly steps: readonly Step[]
  /** Name of the partition in reports of its health. */
  readonly partition: string
  /** Aborts when the partition is revoked. */
  readonly signal: AbortSignal
  /** Records are added one by one, so that finished ones stay so when others fail. */
  readonly finished: Finished[]
}

/** Most commands in a batch, and most streams in parallel: other partitions want to write meanwhile. */
const maxAtOnce = 500

/**
 * Executes the commands of a batch, in order in each stream: first together as far as possible, then the rest, streams
 * in parallel. Aborted ones stay unfinished. Throws the first failure, once nothing is at work any more.
 */
export const streamWorker = (processor: string, deps: StreamWorkDependencies, health: StreamHealth) => {
  const { executeBatch } = deps

  /** Finishes a record with the last of its commands. */
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

  /** Returns the rest: the commands that were rejected or failed, and all after them on their streams. */
  const runTogether = async (
    execute: ExecuteBatch,
    { steps, partition, signal, finished }: OpenSteps,
  ): Promise<readonly Step[]> => {
    const left: Step[] = []
    const waiting = new Set<string>()
    for (let i = 0; i < steps.length && !signal.aborted; i += maxAtOnce) {
      const some: Step[] = []
      for (const step of steps.slice(i, i + maxAtOnce))
        (waiting.has(step.route.stream) ? left : some).push(step)
      const outcomes = await health.watch(partition, signal, () => execute(some.map(planOf)))
      for (let n = 0; n < some.length; n++) {
        const step = some[n]!
        const { stream } = step.route
        const outcome = outcomes[n]
        if (!outcome || !isRight(outcome) || outcome.right.kind === 'rejected') {
          if (outcome) step.outcome = outcome
          left.push(step)
          waiting.add(stream)
          continue
        }
        step.span?.end()
        health.recovered(stream)
        const finishing = conclude(step, outcome.right.kind, finished)
        if (finishing) await finishing
      }
    }
    return left
  }

  /** Runs steps one after the other. */
  const runQueue = async (steps: readonly Step[], { signal, finished }: OpenSteps, onStep: () => void) => {
    for (const step of steps) {
      if (signal.aborted) break
      await conclude(step, await executeStep(processor, deps, step), finished)
      onStep()
    }
  }

  return async (open: OpenSteps): Promise<void> => {
    const left = executeBatch ? await runTogether(executeBatch, open) : open.steps
    const running = sideBySide(streamQueues(left), maxAtOnce, ([stream, steps]) =>
      health.watch(stream, open.signal, (onStep) => runQueue(steps, open, onStep)),
    )
    health.report()
    await running
  }
}
