import { isLeft } from 'fp-ts/lib/Either.js'
import { expect } from 'vitest'
import type { System } from '../../../src/app/system.ts'
import { readMessage } from '../../../src/domain/kernel/cloud-event.ts'
import type { RecordedEvent } from '../../../src/domain/kernel/event.ts'
import { causeOf, type TopicSpec } from '../../../src/domain/kernel/message.ts'
import { clipsTopic, episodesTopic } from '../../../src/domain/research/curation-messages.ts'
import { researchersTopic } from '../../../src/domain/research/researcher-messages.ts'
import { resultsTopic } from '../../../src/domain/research/result-messages.ts'
import { type WorkItem, workItemsTopic } from '../../../src/domain/research/work-item.ts'
import type { BrokerRecord } from '../../../src/ports/broker.ts'

/* What is on the topics, and what came of it. */

export const recordsOn = async (
  { broker, config }: Pick<System, 'broker' | 'config'>,
  { name }: TopicSpec,
): Promise<readonly BrokerRecord[]> => {
  const records: BrokerRecord[] = []
  for (let partition = 0; partition < config.partitions; partition++) {
    const found = await broker.peek(name, partition, 0n, 1_000_000)()
    if (isLeft(found)) throw new Error(JSON.stringify(found.left))
    records.push(...found.right)
  }
  return records
}

export const itemsOn = async (system: Pick<System, 'broker' | 'config'>): Promise<readonly WorkItem[]> =>
  (await recordsOn(system, workItemsTopic)).map(({ value }): WorkItem => JSON.parse(String(value)))

const placeOf = ({
  topic,
  partition,
  offset,
}: Pick<BrokerRecord, 'topic' | 'partition' | 'offset'>): string => `${topic}/${partition}/${offset}`

/** Of these, one event has the message for its cause. Others may find that nothing is to be done, or be refused. */
const always: Readonly<Record<string, string>> = {
  'clip.researched': 'ClipResearched',
  'research.failed': 'ResearchFailed',
}

/**
 * Every message on the topics has had its effect once, however often it stands there; and every one that was acknowledged
 * (`<topic>/<partition>/<offset>`) stands there.
 */
export const expectEffectsOnce = async (
  system: Pick<System, 'broker' | 'config'>,
  events: readonly RecordedEvent[],
  acknowledged: Iterable<string>,
): Promise<{ readonly messages: number; readonly again: number }> => {
  const byCause = Map.groupBy(events, ({ metadata }) => metadata.causationId)
  const places = new Set<string>()
  const causes = new Map<string, string>()
  for (const topic of [episodesTopic, clipsTopic, resultsTopic, researchersTopic])
    for (const record of await recordsOn(system, topic)) {
      places.add(placeOf(record))
      const message = readMessage({ ...record, log: system.broker.id }, topic)
      if (isLeft(message)) throw new Error(`${placeOf(record)}: ${message.left.message}`)
      causes.set(causeOf(message.right), message.right.type)
    }
  const wrong = [...causes].flatMap(([cause, type]) => {
    const effects = (byCause.get(cause) ?? []).map((event) => event.type)
    const main = always[type]
    if (main) return effects.filter((one) => one === main).length === 1 ? [] : [{ cause, type, effects }]
    return effects.length <= 1 ? [] : [{ cause, type, effects }]
  })
  expect(wrong).toEqual([])
  expect([...acknowledged].filter((place) => !places.has(place))).toEqual([])
  return { messages: causes.size, again: places.size - causes.size }
}
