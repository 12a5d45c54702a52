import { DatabaseSync } from 'node:sqlite'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { startGateway } from '../infra/gateway/gateway.ts'
import { openDatabase } from '../infra/sqlite/database.ts'

/** Benched events in a log that nobody serves any more. */
export const countBenched = (file: string): number => {
  const db = new DatabaseSync(file, { readOnly: true })
  const counted = db.prepare("SELECT count(*) AS events FROM events WHERE type = 'Benched'").get()
  db.close()
  return Number(counted?.events)
}

/** A gateway over a log's file, in a thread of its own: as a server would be in a process of its own. */
export const serveInThread = async (
  file: string,
): Promise<{ readonly address: string; readonly stop: () => Promise<void> }> => {
  const worker = new Worker(new URL(import.meta.url), { workerData: file })
  const port = await new Promise((resolve) => worker.once('message', resolve))
  return {
    address: `esdb://127.0.0.1:${port}?tls=false`,
    stop: async () => {
      const ended = new Promise((resolve) => worker.once('exit', resolve))
      worker.postMessage('stop')
      await ended
    },
  }
}

if (!isMainThread) {
  const db = openDatabase(workerData as string)
  const gateway = await startGateway(db, { host: '127.0.0.1', port: 0, reject: () => undefined })
  parentPort?.postMessage(gateway.port)
  parentPort?.once('message', async () => {
    await gateway.stop(100)
    await db.close()
    process.exit()
  })
}
