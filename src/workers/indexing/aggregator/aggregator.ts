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
import { embargoListOf } from './embargo-list.ts'
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
  /** Address and port at which this system answers replay software. */
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

const pollMillis = 1000
/** Limit of the runs that a lookup reads: beyond it, they are merged early. */
const manyRuns = 100

/**
 * Applies changes to the index within seconds, and merges its runs on a timer (W24, W25). Any number may run: one holds
 * the lock of the index, the others try again.
 */
export const startAggregator = (context: AggregatorContext): RunningWorker => {
  const { config, clock, log } = context
  const stopping = new AbortController()
  const { signal } = stopping
  const { attempt, busy } = createAttempts(log, signal)
  const refused = refusedFilesOf(context)
  const merge = createMerge(context, refused, signal)
  const writeFiles = createIndexFiles(context, signal)
  const early = createEarlyMerge(context, () => attempt(merge))
  const taker = createTaker(context, refused, async () => {
    await early.mergeIfMany()
    return !signal.aborted
  })
  const every = async (millis: number, work: () => Promise<unknown>) => {
    while (!signal.aborted) {
      await attempt(work)
      await clock.sleep(millis, signal)
    }
  }
  const running = Promise.all([
    every(pollMillis, taker.take),
    every(config.indexingAggregateSeconds * SECOND, async () => {
      await merge()
      await writeFiles()
    }),
  ])

  return {
    name: `aggregator@${hostname()}/${process.pid}`,
    busy,
    stop: async () => {
      stopping.abort()
      await running
      // Changes handed over before the stop can be found after it: `fonds indexing run` says so.
      await attempt(taker.takeRest)
      await early.finished()
    },
  }
}

type RefusedFiles = ReturnType<typeof refusedFilesOf>

/** Runs work that is tried again later if it fails. */
const createAttempts = (log: AggregatorContext['log'], signal: AbortSignal) => {
  let busy = 0
  let logged: string | undefined
  return {
    busy: () => busy,
    /** A failure is logged once, until work succeeds or fails for another reason. */
    attempt: async (work: () => Promise<unknown>): Promise<void> => {
      busy++
      try {
        await work()
        logged = undefined
      } catch (error) {
        const reason = errorMessage(error)
        if (!signal.aborted && reason !== logged) log.warn({ reason }, 'the aggregator failed; retrying')
        logged = reason
      } finally {
        busy--
      }
    },
  }
}

/** Applies waiting changes to the index. `goesOn` is called between two parts of the work. */
const createTaker = (context: AggregatorContext, refused: RefusedFiles, goesOn: () => Promise<boolean>) => {
  const { captureIndex, clock, log } = context
  const files = changeFilesOf(context)
  const byHand = createHandMadeFiles(incomingFolder(context), (path, reason) =>
    log.warn({ path, reason }, 'a file in the folder is not taken'),
  )
  const takeLogged = () => takeChanges(files, refused, captureIndex, log, goesOn)
  return {
    take: async () => {
      await takeLogged()
      await takeHandMade(byHand, clock.now(), captureIndex, log, async () => {
        // There may be many: changes decided meanwhile do not wait for all of them.
        await takeLogged()
        return goesOn()
      })
    },
    /** Takes all that waits, without calling `goesOn`. */
    takeRest: async () => {
      await takeChanges(files, refused, captureIndex, log)
      await takeHandMade(byHand, clock.now(), captureIndex, log)
    },
  }
}

/** Merges the runs that are due, and reports lost lines. */
const createMerge = (context: AggregatorContext, refused: RefusedFiles, signal: AbortSignal) => {
  const { captureIndex, clock, telemetry, log } = context
  const reportLoss = createLossReport(refused, log)
  return async (): Promise<void> => {
    // An unused index has no folder.
    if ((await captureIndex().runs()).length === 0) return
    const report = await captureIndex().mergeDue({ signal })
    telemetry.count('index_merges', {}, report.merges)
    telemetry.count('index_merged_bytes', {}, report.bytesWritten)
    telemetry.gauge('index_merged_timestamp_seconds', {}, Date.parse(clock.now()) / SECOND)
    log.debug(report, 'runs were merged')
    for (const lost of report.lost) await reportLoss(lost)
  }
}

/**
 * Reports lost lines at each merge while the index misses them: the process that keeps the log decides whether a file
 * is still to be read again.
 */
const createLossReport = (refused: RefusedFiles, log: AggregatorContext['log']) => {
  const reported = new Set<string>()
  return async ({ files, ...loss }: LostLines): Promise<void> => {
    const { run, lines, blocks, posts } = loss
    for (const { file, digest, number } of files)
      await refused.addLost({ file, digest, reason: `the run ${run} of the index is damaged` }, number)
    if (reported.has(run)) return
    reported.add(run)
    log.error(
      { ...loss, files: files.slice(0, 100).map(({ file }) => file) },
      `a run of the index is damaged: ${lines} lines in ${blocks} blocks are not served; available files are indexed again${posts > 0 ? ', posted lines have to be posted again' : ''}`,
    )
  }
}

/** Merges early if there are many runs. */
const createEarlyMerge = ({ captureIndex }: AggregatorContext, merge: () => Promise<void>) => {
  let underWay: Promise<void> | undefined
  return {
    /** Resolves when the number of runs is known. */
    mergeIfMany: async (): Promise<void> => {
      if (underWay) return
      const runs = (await captureIndex().runs()).filter(({ state }) => state === 'live')
      if (runs.length > manyRuns)
        underWay = merge().finally(() => {
          underWay = undefined
        })
    },
    finished: async (): Promise<void> => underWay,
  }
}

/** Writes the index as files, and the configurations of replay software that read them. */
const createIndexFiles = (context: AggregatorContext, signal: AbortSignal) => {
  const { config, captureIndex, clock, log } = context
  const embargoes = embargoListOf(context)
  const paths = parseIndexFiles(config.indexingFiles ?? '')
  const foreign = new Set<string>()
  return async (): Promise<void> => {
    if (!paths) return
    const leftOut = await embargoes.heldBack(clock.now())
    await captureIndex().writeFiles(paths, { signal, leftOut })
    for (const path of await writeReplayConfigs({ paths, archives: archivesOf(config) }))
      if (!foreign.has(path)) {
        foreign.add(path)
        log.warn(
          { path },
          'a file of this name was not written by Fonds and is kept; move it to have ours written',
        )
      }
  }
}

/** Returns the folders that are known here, and the URL of this system, which serves what is elsewhere. */
const archivesOf = ({ indexingSources, host, port }: AggregatorSettings): readonly string[] => {
  const locations = (parseSources(indexingSources ?? '') ?? []).map(({ location }) => location)
  const folders = locations.filter((location) => location.startsWith('/'))
  const served = `http://${host === '0.0.0.0' ? '127.0.0.1' : host}:${port}/warc/`
  return folders.length > 0 && folders.length === locations.length ? folders : [...folders, served]
}
