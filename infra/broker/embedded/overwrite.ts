import { setImmediate } from 'node:timers/promises'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { UnavailableError } from '../../../src/async/unavailable.ts'
import type { Broker, BrokerRecord, RecordContent } from '../../../src/ports/broker.ts'
import type { BrokerFailure } from '../../../src/ports/broker-failure.ts'
import type { Database } from '../../sqlite/database.ts'
import { cutWriteAheadLog, overwriting } from '../../sqlite/overwriting.ts'
import { unavailable } from '../../sqlite/write-failures.ts'
import type { ReadRecords } from './read.ts'
import type { Topic, Topics } from './topics.ts'

const pageSize = 500

interface Changed {
  readonly offset: bigint
  readonly from: BrokerRecord
  readonly to: RecordContent
}

/** Records stay where they are: offset, time and partition are not theirs to change. */
export const createOverwrite = (
  db: Database,
  topics: Topics,
  read: ReadRecords,
): NonNullable<Broker['overwrite']> => {
  const set = db.writer.prepare(
    'UPDATE broker_records SET key = ?, headers = ?, value = ? WHERE partition_id = ? AND offset = ?',
  )
  /**
   * The same length first: SQLite writes it over the old bytes. Another length moves its neighbours, of which copies may be left in
   * their old places.
   */
  const replace = (partitionId: number, changed: readonly Changed[]): void =>
    overwriting(db.writer, () => {
      for (const { offset, from } of changed)
        set.run(
          from.key && blankText(from.key),
          blankText(JSON.stringify(from.headers)),
          blank(from.value),
          partitionId,
          Number(offset),
        )
      for (const { offset, to } of changed)
        set.run(to.key, JSON.stringify(to.headers), to.value, partitionId, Number(offset))
    })

  async function* pagesOf(topic: Topic) {
    for (const [partition, partitionId] of topic.partitionIds.entries())
      for (let from = 0; ; ) {
        const records = read(topic, partition, from, pageSize)
        const last = records.at(-1)
        if (!last) break
        yield { partitionId, records }
        from = Number(last.offset) + 1
        await setImmediate()
      }
  }

  return (change) =>
    TE.tryCatch(
      async () => {
        let count = 0
        for (const { name } of topics.list())
          for await (const { partitionId, records } of pagesOf(topics.find(name)!)) {
            const contents = await change(records)
            const changed = records.flatMap((from, i): readonly Changed[] => {
              const to = contents[i]
              return to ? [{ offset: from.offset, from, to }] : []
            })
            if (changed.length === 0) continue
            await db.commit.submit(() => replace(partitionId, changed))
            count += changed.length
          }
        await cutWriteAheadLog(
          db.writer,
          `the records are overwritten, and another process still reads ${db.file}, whose write-ahead log has them: give the command again`,
        )
        return count
      },
      (error): BrokerFailure => {
        if (error instanceof UnavailableError) return { kind: 'Unavailable', reason: error.message }
        return unavailable(error)
      },
    )
}

const blankText = (text: string): string => ' '.repeat(Buffer.byteLength(text))

const blank = (value: string | Uint8Array): string | Uint8Array =>
  typeof value === 'string' ? blankText(value) : new Uint8Array(value.length)
