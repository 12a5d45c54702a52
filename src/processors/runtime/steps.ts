import { readMessage } from '../../domain/kernel/cloud-event.ts'
import type { Message, TopicSpec } from '../../domain/kernel/message.ts'
import { unusable } from '../../domain/kernel/unusable.ts'
import { Away } from '../../ports/away.ts'
import type { BrokerRecord, RecordBatch } from '../../ports/broker.ts'
import { defect, type Fault } from './aftermath.ts'
import type { Plan, Processor } from './processor.ts'
import type { StepResult } from './results.ts'
import { UnusableMessage } from './unusable-message.ts'

export interface Decoded {
  readonly record: BrokerRecord
  readonly message: Message
}

/** A record with the commands that it asks for: finished when all of them are. */
export interface Planned extends Decoded {
  readonly plans: readonly Plan[]
  /** What the finished ones came to. */
  readonly results: StepResult[]
}

/** One command of a record, on its way to its stream. */
export interface Step {
  readonly of: Planned
  readonly plan: Plan
}

/** A record that will not get there. */
export interface Unfit {
  readonly record: BrokerRecord
  readonly fault: Fault
}

export interface PlannedBatch {
  readonly planned: readonly Planned[]
  readonly unfit: readonly Unfit[]
}

/** `log`: identity of the broker's log. */
export const decodeBatch = (batch: RecordBatch, topic: TopicSpec, log: string) => {
  const decoded: Decoded[] = []
  const unfit: Unfit[] = []
  for (const record of batch.records) {
    const read = readMessage({ ...record, log }, topic)
    if (read._tag === 'Right') decoded.push({ record, message: read.right })
    else unfit.push({ record, fault: read.left })
  }
  return { decoded, unfit }
}

/** All at once; when that fails, each half by itself, so that the culprit is found. Throws `Away`. */
export const planBatch = async (
  plan: Processor['plan'],
  decoded: readonly Decoded[],
): Promise<PlannedBatch> => {
  if (decoded.length === 0) return { planned: [], unfit: [] }
  try {
    return await planTogether(plan, decoded)
  } catch (error) {
    if (error instanceof Away) throw error
    if (decoded.length === 1)
      return { planned: [], unfit: [{ record: decoded[0]!.record, fault: planningFault(error) }] }
  }
  const middle = decoded.length >> 1
  const first = await planBatch(plan, decoded.slice(0, middle))
  const second = await planBatch(plan, decoded.slice(middle))
  return { planned: [...first.planned, ...second.planned], unfit: [...first.unfit, ...second.unfit] }
}

const planTogether = async (plan: Processor['plan'], decoded: readonly Decoded[]): Promise<PlannedBatch> => {
  const answer = await plan(decoded.map(({ message }) => message))
  if (answer.length !== decoded.length)
    throw new Error(`${decoded.length} messages were planned as ${answer.length}`)
  const planned: Planned[] = []
  const unfit: Unfit[] = []
  decoded.forEach((one, i) => {
    const plans = answer[i]!
    const twice = namedTwice(plans)
    if (twice === undefined) planned.push({ ...one, plans, results: [] })
    else unfit.push({ record: one.record, fault: defect(`it was planned as two commands on ${twice}`) })
  })
  return { planned, unfit }
}

/** A cause has its effect in a stream once: of two commands of a message the second would be lost. */
const namedTwice = (plans: readonly Plan[]): string | undefined => {
  if (plans.length < 2) return undefined
  const seen = new Set<string>()
  return plans.find(({ stream }) => seen.size === seen.add(stream).size)?.stream
}

const planningFault = (error: unknown): Fault =>
  error instanceof UnusableMessage ? unusable(error.reason, error.message, error.path) : defect(error)

export type Lane = readonly [stream: string, steps: readonly Step[]]

/**
 * Order is kept in a stream; streams run side by side. Those of records that ask for little come first, so that one that
 * asks for thousands keeps nobody waiting.
 */
export const lanesOf = (planned: readonly Planned[]): readonly Lane[] => {
  const steps = planned.flatMap((of) => of.plans.map((plan): Step => ({ of, plan })))
  const least = (lane: Lane) =>
    lane[1].reduce((n, { of }) => Math.min(n, of.plans.length), Number.POSITIVE_INFINITY)
  return [...Map.groupBy(steps, ({ plan }) => plan.stream)]
    .map((lane) => ({ lane, least: least(lane) }))
    .sort((one, other) => one.least - other.least)
    .map(({ lane }) => lane)
}
