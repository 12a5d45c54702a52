import { writeSync } from 'node:fs'
import { setTimeout } from 'node:timers'
import { openSqliteEventStore } from '#infra/event-store/sqlite/event-store.ts'
import { openDatabase } from '#infra/sqlite/database.ts'
import { sealIn } from './sealer.ts'

/* Seals with a head after every few events, says each head, and kills itself after some milliseconds from the first. */
const [folder = '', millis = ''] = process.argv.slice(2)
const store = openSqliteEventStore(openDatabase(`${folder}/fonds.db`))
const sealing = await sealIn(folder, store)
setTimeout(() => process.kill(process.pid, 'SIGKILL'), Number(millis))
for (;;) {
  const page = await store.readStored(sealing.position, {}, 37)()
  if (page._tag === 'Left') throw new Error(page.left.reason)
  await sealing.add(page.right)
  if (sealing.size > sealing.published.size) await sealing.publish()
  writeSync(1, `${sealing.published.size}\n`)
  if (page.right.caughtUp) process.kill(process.pid, 'SIGKILL')
}
