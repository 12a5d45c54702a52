import { writeSync } from 'node:fs'
import { openSqliteEventStore } from '../../../../infra/event-store/sqlite/event-store.ts'
import { openDatabase } from '../../../../infra/sqlite/database.ts'
import { event } from '../../../contracts/new-event.ts'

/* Appends as fast as it can, says each acknowledgement, and kills itself after some of them, in the middle of others. */
const [file, count] = process.argv.slice(2)
const store = openSqliteEventStore(openDatabase(file!))
let acknowledged = 0

const write = async (stream: string) => {
  for (;;) {
    const result = await store.append(stream, 'any', [event(), event()])()
    if (result._tag === 'Left') throw new Error(result.left.kind)
    writeSync(1, `${stream} ${result.right.revision}\n`)
    if (++acknowledged >= Number(count)) process.kill(process.pid, 'SIGKILL')
  }
}

await Promise.all(Array.from({ length: 8 }, (_, i) => write(`killed-${i}`)))
