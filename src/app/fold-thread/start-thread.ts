import { Worker } from 'node:worker_threads'
import { withTimeout } from '../../async/with-timeout.ts'
import { SECOND } from '../../domain/kernel/time.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Config } from '../config/settings.ts'
import {
  type FoldReport,
  type FoldThreadData,
  type FromFoldThread,
  sharedFlag,
  type ToFoldThread,
} from './messages.ts'
import type { SharedTurns } from './write-turns.ts'

const threadModule = new URL('./thread.ts', import.meta.url)
/** How long its last transaction may take when it is stopped: one that is cut off is rolled back. */
const endMillis = 10 * SECOND

export interface FoldThreadOptions {
  readonly config: Config
  readonly storesModule: URL
  readonly projectionsModule: URL
  readonly turns: SharedTurns
  readonly clock: Clock
}

interface FoldThreadListeners {
  /** Log and views are open. */
  onReady(): void
  onReport(report: FoldReport): void
  /** It has ended, with an error where it broke. All that it reported was told before. */
  onEnd(error?: unknown): void
}

/** A thread that folds, as the main thread sees it. */
export interface FoldThread {
  /** To be called once it is ready, and nobody else folds. */
  begin(): void
  /** Says that the log has grown. */
  nudge(): void
  stop(): Promise<void>
}

export const startFoldThread = (
  names: readonly string[],
  { config, storesModule, projectionsModule, turns, clock }: FoldThreadOptions,
  { onReady, onReport, onEnd }: FoldThreadListeners,
): FoldThread => {
  const nudged = sharedFlag()
  const workerData: FoldThreadData = {
    ...{ config, names, turns, nudged },
    storesModule: storesModule.href,
    projectionsModule: projectionsModule.href,
  }
  const worker = new Worker(threadModule, { workerData })
  const send = (message: ToFoldThread) => worker.postMessage(message)
  let isReady = false
  let broken: unknown

  worker.on('message', (message: FromFoldThread) => {
    if (message !== 'ready') return onReport(message)
    isReady = true
    onReady()
  })
  worker.on('error', (error) => {
    broken = error
  })
  const { promise: ended, resolve } = Promise.withResolvers<void>()
  worker.once('exit', () => {
    resolve()
    onEnd(broken)
  })

  return {
    begin: () => send('begin'),
    nudge: () => {
      if (isReady && Atomics.exchange(nudged, 0, 1) === 0) send('changed')
    },
    stop: async () => {
      if (isReady) {
        send('stop')
        await withTimeout(ended, endMillis, () => undefined, clock)
      }
      await worker.terminate()
    },
  }
}
