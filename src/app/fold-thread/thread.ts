import { parentPort, workerData } from 'node:worker_threads'
import { pino } from 'pino'
import { systemClock as clock } from '../../async/system-clock.ts'
import { type Folding, foldAll, notBegun } from '../../projections/runtime/fold-all.ts'
import type { Projection } from '../../projections/runtime/projection.ts'
import type { Config } from '../config/settings.ts'
import { logFailures, traced } from '../observe.ts'
import type { FoldStores, FoldThreadData, FromFoldThread, ToFoldThread } from './messages.ts'
import { gatherReports } from './reports.ts'
import { givingWay } from './write-turns.ts'

/*
 * The module of the thread that folds. It begins once the main thread folds no more, and reports where each projection stands. An
 * exception ends it; `foldApart` then folds in the main thread again.
 */

const port = parentPort
if (!port) throw new Error('thread.ts is run by foldApart, not by itself')

const data = workerData as FoldThreadData
const { config, names, turns, nudged } = data
const { default: open } = (await import(data.storesModule)) as {
  readonly default: (config: Config) => Promise<FoldStores>
}
const { default: all } = (await import(data.projectionsModule)) as { readonly default: readonly Projection[] }

const log = pino({ name: 'fonds', level: config.logLevel }, pino.destination(2))
const stores = await open(config)
const running = names.map((name) => {
  const projection = all.find((one) => one.name === name)
  if (!projection) throw new Error(`there is no projection ${name} in ${data.projectionsModule}`)
  return { projection: traced(projection), progress: notBegun() }
})

const send = (message: FromFoldThread) => port.postMessage(message)
const reports = gatherReports(running, (report) => {
  if (stores.isLost()) void giveBack()
  else send(report)
})
const logFailure = logFailures(log)
let folding: Folding | undefined
let ending: Promise<void> | undefined

const begin = (): Folding =>
  foldAll(
    { running, observe: reports.observe, onStep: reports.onStep },
    {
      eventStore: stores.eventStore,
      viewStore: givingWay(stores.viewStore, turns),
      clock,
      onFailure: (projection, failed) => {
        logFailure(projection, failed)
        if (stores.isLost(failed.error)) void giveBack()
        reports.onFailure(projection)
      },
    },
  )

const end = async (): Promise<void> => {
  await folding?.stop()
  reports.flush()
  await stores.close()
  port.close()
}

/** The main thread opens the file anew once it folds. */
const giveBack = (): Promise<void> => {
  if (!ending) log.warn('the views’ file is damaged or replaced; the main thread opens it again')
  ending ??= end()
  return ending
}

port.on('message', (message: ToFoldThread) => {
  if (message === 'begin') folding = begin()
  else if (message === 'stop') ending ??= end()
  else {
    // Before the log is read: what is written from here on is told of by another message.
    Atomics.store(nudged, 0, 0)
    stores.changed()
  }
})
send('ready')
