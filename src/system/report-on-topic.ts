import { isLeft } from 'fp-ts/lib/Either.js'
import { v7 as uuid } from 'uuid'
import { writeMessage } from '../domain/kernel/cloud-event.ts'
import type { TopicSpec } from '../domain/kernel/message.ts'
import { Away } from '../ports/away.ts'
import type { RecordPlace } from '../ports/broker.ts'
import { inWords } from '../ports/broker-failure.ts'
import type { System } from './system.ts'

export interface Report {
  /** Of the message. Given where it may have to be sent again: by it the second is known to be the first. Default: a new one. */
  readonly id?: string
  readonly type: string
  readonly data: unknown
}

/** Puts messages of our own on a topic. Throws `Away` when the broker cannot take them. */
export const reportOnTopic = async (
  { broker, clock }: Pick<System, 'broker' | 'clock'>,
  topic: TopicSpec,
  source: string,
  reports: readonly Report[],
): Promise<readonly RecordPlace[]> => {
  const records = reports.map(({ id = uuid(), type, data }) =>
    writeMessage({ id, source, type, time: clock.now(), data }, topic, 'binary'),
  )
  const placed = await broker.produce(records)()
  if (isLeft(placed)) throw new Away(`${topic.name} takes no messages now: ${inWords(placed.left)}`)
  return placed.right
}
