import { fork } from 'node:child_process'
import { once } from 'node:events'
import { DatabaseSync } from 'node:sqlite'
import { startGateway } from '../infra/gateway/gateway.ts'
import { openDatabase } from '../infra/sqlite/database.ts'

/** Benched events in a log that nobody serves any more. */
export const countBenched = (file: string): number => {
  const db = new DatabaseSync(file, { readOnly: true })
  const counted = db.prepare("SELECT count(*) AS events FROM events WHERE type = 'Benched'").get()
  db.close()
  return Number(counted?.events)
}

/** A gateway over a log's file, in a process of its own, as a server would be. `normal`: commits do not wait for the disk. */
export const serveInProcess = async (
  file: string,
  durability: 'full' | 'normal' = 'full',
): Promise<{ readonly address: string; readonly stop: () => Promise<void> }> => {
  const child = fork(import.meta.filename, [file, durability], {
    execArgv: ['--disable-warning=ExperimentalWarning'],
  })
  const [port] = await once(child, 'message')
  return {
    address: `esdb://127.0.0.1:${port}?tls=false`,
    stop: async () => {
      const ended = once(child, 'exit')
      child.send('stop')
      await ended
    },
  }
}

const [, program, served, durability] = process.argv
if (program === import.meta.filename && served !== undefined) {
  const db = openDatabase(served, { durability: durability === 'normal' ? 'normal' : 'full' })
  const gateway = await startGateway(db, { host: '127.0.0.1', port: 0, reject: () => undefined })
  process.send?.(gateway.port)
  process.once('message', async () => {
    await gateway.stop(100)
    await db.close()
    process.exit()
  })
  // The bench was killed.
  process.once('disconnect', () => process.exit())
}
