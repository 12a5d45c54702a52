import { readMessage } from '../../domain/kernel/cloud-event.ts'
import type { Message, TopicSpec } from '../../domain/kernel/message.ts'
import { Away } from '../../ports/away.ts'
import type { BrokerRecord, RecordBatch } from '../../ports/broker.ts'
import { defect, type Fault } from './aftermath.ts'
import type { Plan, Processor } from './processor.ts'

export interface Decoded {
  readonly record: BrokerRecord
  readonly message: Message
}

/** A record on its way to its stream. */
export interface Step extends Decoded {
  readonly plan: Plan
}

/** A record that will not get there. */
export interface Unfit {
  readonly record: BrokerRecord
  readonly fault: Fault
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

/** All at once; when that fails, each by itself, so that the culprit is found. Throws `Away`. */
export const planBatch = async (
  plan: Processor['plan'],
  decoded: readonly Decoded[],
): Promise<{ readonly steps: readonly Step[]; readonly unfit: readonly Unfit[] }> => {
  if (decoded.length === 0) return { steps: [], unfit: [] }
  try {
    return { steps: await planTogether(plan, decoded), unfit: [] }
  } catch (error) {
    if (error instanceof Away) throw error
    if (decoded.length === 1)
      return { steps: [], unfit: [{ record: decoded[0]!.record, fault: defect(error) }] }
  }
  const steps: Step[] = []
  const unfit: Unfit[] = []
  for (const one of decoded) {
    const planned = await planBatch(plan, [one])
    steps.push(...planned.steps)
    unfit.push(...planned.unfit)
  }
  return { steps, unfit }
}

const planTogether = async (plan: Processor['plan'], decoded: readonly Decoded[]): Promise<Step[]> => {
  const plans = await plan(decoded.map(({ message }) => message))
  if (plans.length !== decoded.length)
    throw new Error(`${decoded.length} messages were planned as ${plans.length} commands`)
  return decoded.map((one, i) => ({ ...one, plan: plans[i]! }))
}

/** Order is kept in a stream; streams run side by side. */
export const lanesOf = (steps: readonly Step[]): ReadonlyMap<string, readonly Step[]> =>
  Map.groupBy(steps, ({ plan }) => plan.stream)
