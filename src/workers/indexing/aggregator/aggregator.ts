import { hostname } from 'node:os'
import type { Logger } from 'pino'
import { errorMessage } from '../../../async/errors.ts'
import { SECOND } from '../../../domain/kernel/time.ts'
import type { CaptureIndex, LostLines } from '../../../ports/capture-index.ts'
import type { Clock } from '../../../ports/clock.ts'
import type { Telemetry } from '../../../ports/telemetry.ts'
import type { RunningWorker } from '../../runtime/worker.ts'
import { parseIndexFiles } from '../index-files.ts'
import { incomingFolder } from '../index-folders.ts'
import { parseSources } from '../sources.ts'
import { changeFilesOf } from './change-files.ts'
import { createHandMadeFiles } from './hand-made-files.ts'
import { refusedFilesOf } from './refused-files.ts'
import { writeReplayConfigs } from './replay-configs.ts'
import { takeChanges } from './take-changes.ts'
import { takeHandMade } from './take-hand-made.ts'

interface AggregatorSettings {
  readonly indexingFolder: string
  readonly indexingAggregateSeconds: number
  readonly indexingFiles?: string
  readonly indexingSources?: string
  /** Where this house answers replay software. */
  readonly host: string
  readonly port: number
}

export interface AggregatorContext {
  readonly config: AggregatorSettings
  readonly captureIndex: () => CaptureIndex
  readonly clock: Pick<Clock, 'now' | 'sleep'>
  readonly telemetry: Pick<Telemetry, 'count' | 'gauge'>
  readonly log: Pick<Logger, 'error' | 'warn' | 'debug'>
}

const lookMillis = 1000
/** Runs that a look-up reads: where they are more, they are merged before it is time. */
const manyRuns = 100

/**
 * Takes changes over into the index within seconds, and merges its runs on a timer (W24, W25). Any number may run: one has the
 * lock of the index, the others try again.
 */
export const startAggregator = (context: AggregatorContext): RunningWorker => {
  const { config, captureIndex, clock, telemetry, log } = context
  const files = changeFilesOf(context)
  const refused = refusedFilesOf(context)
  const byHand = createHandMadeFiles(incomingFolder(context), (path, reason) =>
    log.warn({ path, reason }, 'what lies in the folder is not taken'),
  )
  const paths = parseIndexFiles(config.indexingFiles ?? '')
  const stopping = new AbortController()
  const { signal } = stopping
  let busy = 0
  let told: string | undefined
  const foreign = new Set<string>()

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
  const lossesTold = new Set<string>()
  /** Each time until it is over: whoever keeps the log decides whether a file is still to be read again. */
  const tellLoss = async ({ files: whose, ...loss }: LostLines) => {
    const { run, lines, blocks, posts } = loss
    for (const { file, digest, number } of whose)
      await refused.addLost({ file, digest, reason: `the run ${run} of the index is damaged` }, number)
    if (lossesTold.has(run)) return
    lossesTold.add(run)
    log.error(
      { ...loss, files: whose.slice(0, 100).map(({ file }) => file) },
      `a run of the index is damaged: ${lines} lines in ${blocks} blocks are not served; files at hand are indexed again${posts > 0 ? ', lines that were posted have to be posted again' : ''}`,
    )
  }
  const merge = async () => {
    // An index that nobody uses has no folder.
    if ((await captureIndex().runs()).length === 0) return
    const report = await captureIndex().mergeDue({ signal })
    telemetry.count('index_merges', {}, report.merges)
    telemetry.count('index_merged_bytes', {}, report.bytesWritten)
    telemetry.gauge('index_merged_timestamp_seconds', {}, Date.parse(clock.now()) / SECOND)
    log.debug(report, 'runs were merged')
    for (const lost of report.lost) await tellLoss(lost)
  }
  const writeFiles = async () => {
    if (!paths) return
    await captureIndex().writeFiles(paths, { signal })
    for (const path of await writeReplayConfigs({ paths, archives: archivesOf(config) }))
      if (!foreign.has(path)) {
        foreign.add(path)
        log.warn(
          { path },
          'a file of this name is not ours, and stays as it is: move it away to have it written',
        )
      }
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
  const goesOn = async () => {
    await mergeEarly()
    return !signal.aborted
  }
  const takeLogged = () => takeChanges(files, refused, captureIndex, log, goesOn)
  const take = async () => {
    await takeLogged()
    await takeHandMade(byHand, clock.now(), captureIndex, log, async () => {
      // They may be many: what was decided meanwhile does not wait for all of them.
      await takeLogged()
      return goesOn()
    })
  }
  const every = async (millis: number, work: () => Promise<unknown>) => {
    while (!signal.aborted) {
      await attempt(work)
      await clock.sleep(millis, signal)
    }
  }
  const running = Promise.all([
    every(lookMillis, take),
    every(config.indexingAggregateSeconds * SECOND, async () => {
      await merge()
      await writeFiles()
    }),
  ])

  return {
    name: `aggregator@${hostname()}/${process.pid}`,
    busy: () => busy,
    stop: async () => {
      stopping.abort()
      await running
      // What was handed over before it was stopped can be found after it: `fonds indexing run` says so.
      await attempt(async () => {
        await takeChanges(files, refused, captureIndex, log)
        await takeHandMade(byHand, clock.now(), captureIndex, log)
      })
      await early
    },
  }
}

/** The folders that are known here; else the address of this house, which serves them. */
const archivesOf = ({ indexingSources, host, port }: AggregatorSettings): readonly string[] => {
  const folders = (parseSources(indexingSources ?? '') ?? [])
    .map(({ location }) => location)
    .filter((location) => location.startsWith('/'))
  return folders.length > 0 ? folders : [`http://${host === '0.0.0.0' ? '127.0.0.1' : host}:${port}/warc/`]
}
