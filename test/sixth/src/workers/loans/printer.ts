import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolder } from '@fonds/toolbox/disk'
import type { Logger } from 'pino'
import { is, rowsIfFolded } from '../../domain/kernel/read-views.ts'
import { loans, slipsTopic } from '../../domain/loans/loan.ts'
import type { Broker } from '../../ports/broker.ts'
import type { Clock } from '../../ports/clock.ts'
import type { ViewStore } from '../../ports/view-store.ts'
import { reportOnTopic } from '../runtime/report-on-topic.ts'
import type { RunningWorker, WorkerOptions } from '../runtime/worker.ts'

interface PrinterContext {
  readonly config: { readonly loansFolder: string }
  readonly viewStore: ViewStore
  readonly broker: Broker
  readonly clock: Clock
  readonly log: Logger
}

/** Writes a slip for each loan without one. A slip that is written twice is the same: it needs no claim. */
export const startPrinter = (context: PrinterContext, { onNewWork }: WorkerOptions): RunningWorker => {
  let running = Promise.resolve()
  const print = () => {
    running = running.then(() => printSlips(context)).catch((err) => context.log.warn({ err }, 'no slip'))
  }
  const stopListening = onNewWork(print)
  print()
  return {
    name: 'printer',
    busy: () => 0,
    stop: async () => {
      stopListening()
      await running
    },
  }
}

const printSlips = async (context: PrinterContext): Promise<void> => {
  const { config, viewStore } = context
  await makeFolder(config.loansFolder)
  for (const { item, reader, due } of rowsIfFolded(viewStore, loans, { where: [is('slip', null)] })) {
    const slip = `${encodeURIComponent(item)}.txt`
    await writeFile(join(config.loansFolder, slip), `${item}: ${reader}, until ${due}\n`)
    const report = { id: `${item} ${due}`, type: 'slip.printed', data: { item, slip } }
    await reportOnTopic(context, slipsTopic, 'fonds://printer', [report])
  }
}
