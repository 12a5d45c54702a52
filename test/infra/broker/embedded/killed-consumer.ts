import { writeSync } from 'node:fs'
import { openEmbeddedBroker } from '../../../../infra/broker/embedded/broker.ts'
import { openDatabase } from '../../../../infra/sqlite/database.ts'

/*
 * Handles one batch of each partition whole, and of the next one the first half. There it stays, a member that keeps
 * itself alive, until it is killed. It says each record that it handled, and `stuck` for each batch it stays in.
 */
const [file, group, topic, sessionMillis] = process.argv.slice(2)
const broker = openEmbeddedBroker(openDatabase(file!), { sessionMillis: Number(sessionMillis) })
const seen = new Set<number>()

await broker.consume({ group: group!, topics: [topic!], batchSize: 10 }, async (batch) => {
  const whole = !seen.has(batch.partition)
  seen.add(batch.partition)
  for (const record of whole ? batch.records : batch.records.slice(0, 5))
    writeSync(1, `${record.partition}@${record.offset}\n`)
  if (whole) return batch.records.at(-1)!.offset + 1n
  writeSync(1, 'stuck\n')
  return new Promise<bigint>(() => {})
})
