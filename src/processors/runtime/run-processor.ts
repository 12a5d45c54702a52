import type { Broker, Consumption } from '../../ports/broker.ts'
import { type BatchDependencies, batchHandler } from './batch-handler.ts'
import type { MessageDeaths } from './message-deaths.ts'
import { groupOf, type Processor } from './processor.ts'

interface ProcessorDependencies extends BatchDependencies {
  readonly broker: Pick<Broker, 'id' | 'consume'>
  readonly messageDeaths: MessageDeaths
}

/** Joins the group and works until stopped. At least once in, effectively once out. */
export const runProcessor = async (
  processor: Processor,
  deps: ProcessorDependencies,
): Promise<Consumption> => {
  const consumption = await deps.broker.consume(
    { ...groupOf(processor), topics: processor.topics.map((topic) => topic.name) },
    deps.messageDeaths.counted(processor.name, deps, batchHandler(processor, deps)),
  )
  deps.partitions.add(processor.name, consumption)
  return consumption
}
