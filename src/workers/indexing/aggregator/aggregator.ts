import { hostname } from 'node:os'
import type { Logger } from 'pino'
import { errorMessage } from '../../../async/errors.ts'
import { SECOND } from '../../../domain/kernel/time.ts'
import type { CaptureIndex } from '../../../ports/capture-index.ts'
import type { Clock } from '../../../ports/clock.ts'
import type { Telemetry } from '../../../ports/telemetry.ts'
import type { RunningWorker } from '../../runtime/worker.ts'
import { incomingFolder, refusedFolder } from '../index-folders.ts'
import { type ChangeFiles, createChangeFiles } from './change-files.ts'
import { createRefusedFiles, type RefusedFiles } from './refused-files.ts'
import { takeChanges } from './take-changes.ts'

export interface AggregatorContext {
  readonly config: { readonly indexingFolder: string; readonly indexingAggregateSeconds: number }
  readonly captureIndex: () => CaptureIndex
  readonly clock: Pick<Clock, 'now' | 'sleep'>
  readonly telemetry: Pick<Telemetry, 'count' | 'gauge'>
  readonly log: Pick<Logger, 'error' | 'warn' | 'debug'>
}

const lookMillis = 1000
/** Runs that a look-up reads: where they are more, they are merged before it is time. */
const manyRuns = 100

export const changeFilesOf = (context: Pick<AggregatorContext, 'config'>): ChangeFiles =>
  createChangeFiles(incomingFolder(context))

export const refusedFilesOf = (context: Pick<AggregatorContext, 'config'>): RefusedFiles =>
  createRefusedFiles(refusedFolder(context))

/**
 * Takes changes over into the index within seconds, and merges its runs on a timer (W24, W25). Any number may run: one has the
 * lock of the index, the others try again.
 */
export const startAggregator = (context: AggregatorContext): RunningWorker => {
  const { config, captureIndex, clock, telemetry, log } = context
  const files = changeFilesOf(context)
  const refused = refusedFilesOf(context)
  const stopping = new AbortController()
  const { signal } = stopping
  let busy = 0
  let told: string | undefined

  /** What kept it from its work is told once, until it works again. */
  const attempt = async (work: () => Promise<unknown>): Promise<void> => {
    busy++
    try {
      await work()
      told = undefined
    } catch (error) {
      const reason = errorMessage(error)
      if (!signal.aborted && reason !== told)
        log.warn({ reason }, 'the aggregator could not work, and will try again')
      told = reason
    } finally {
      busy--
    }
  }
  const merge = async () => {
    // An index that nobody uses has no folder.
    if ((await captureIndex().position()) === 0n) return
    const report = await captureIndex().mergeDue({ signal })
    telemetry.count('index_merges', {}, report.merges)
    telemetry.count('index_merged_bytes', {}, report.bytesWritten)
    telemetry.gauge('index_merged_timestamp_seconds', {}, Date.parse(clock.now()) / SECOND)
    log.debug(report, 'runs were merged')
  }
  let early: Promise<void> | undefined
  const mergeEarly = async () => {
    if (early) return
    const runs = (await captureIndex().runs()).filter(({ state }) => state === 'live')
    if (runs.length > manyRuns)
      early = attempt(merge).finally(() => {
        early = undefined
      })
  }
  const take = () =>
    takeChanges(files, refused, captureIndex, log, async () => {
      await mergeEarly()
      return !signal.aborted
    })
  const every = async (millis: number, work: () => Promise<unknown>) => {
    while (!signal.aborted) {
      await attempt(work)
      await clock.sleep(millis, signal)
    }
  }
  const running = Promise.all([
    every(lookMillis, take),
    every(config.indexingAggregateSeconds * SECOND, merge),
  ])

  return {
    name: `aggregator@${hostname()}/${process.pid}`,
    busy: () => busy,
    stop: async () => {
      stopping.abort()
      await running
      // What was handed over before it was stopped can be found after it: `fonds indexing run` says so.
      await attempt(() => takeChanges(files, refused, captureIndex, log))
      await early
    },
  }
}
