import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ingest } from '../src/projections/ingest/projection.ts'
import { largeBatch } from '../src/projections/runtime/fold.ts'
import { fillIngestLog } from './ingest-log.ts'
import { eventsOf, rawLoop, rebuilt, rowsIn, scanner, writesOf } from './raw-views.ts'
import { expectSame, medians, printTable } from './table.ts'

/*
 * Rebuild of the views of ingest, beside a raw loop that writes the same rows with the same statements in transactions of
 * the same size. Rates are by the processor's time. `node bench/ingest-rebuild.ts [jobs] [rounds]`
 */

const jobs = Number(process.argv[2] ?? 20_000)
const rounds = Number(process.argv[3] ?? 3)
const promised = 30_000

const folder = mkdtempSync(join(tmpdir(), 'fonds-bench-'))
try {
  const logFile = join(folder, 'log.db')
  const { store, events } = fillIngestLog(logFile, jobs)
  let files = 0
  const file = () => join(folder, `${files++}.db`)
  let rows = ''
  const [ours] = await medians(rounds, async () => {
    const made = file()
    const { processor } = await rebuilt(made, store, ingest)
    rows = rowsIn(made, ingest)
    return events / processor
  })
  const log = await eventsOf(store, ingest)
  expectSame('events read', log.length, events)
  const raw = async (which: 'each' | 'last', scan = () => () => {}) => {
    const writes = writesOf(log, ingest, which)
    const [rate] = await medians(rounds, async () => {
      return events / rawLoop(file(), ingest, writes, rows, scan()).processor
    })
    return rate!
  }
  const line = { what: 'rebuild of the views', ours: ours!, unit: 'events/s' }
  printTable(`ingest (${jobs} jobs, ${events.toLocaleString('en')} events, ${largeBatch} a transaction)`, [
    {
      ...line,
      beside: 'raw loop: scan, parse, write rows',
      theirs: await raw('each', () => scanner(logFile)),
      promise: 0.5,
    },
    { ...line, beside: 'raw loop: only write rows', theirs: await raw('each') },
    { ...line, beside: 'raw loop: only write each row once', theirs: await raw('last') },
    { ...line, beside: 'asked', theirs: promised, promise: 1 },
  ])
  await store.close()
} finally {
  rmSync(folder, { recursive: true })
}
