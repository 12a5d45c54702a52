import { hostname } from 'node:os'
import { v7 as uuid } from 'uuid'
import manifest from '../../../package.json' with { type: 'json' }
import { researchersTopic } from '../../domain/research/researcher-messages.ts'
import { resultsTopic } from '../../domain/research/result-messages.ts'
import type { Broker } from '../../ports/broker.ts'
import { createMachineWaits } from '../runtime/machine-waits.ts'
import { reportOnTopic } from '../runtime/report-on-topic.ts'
import type { RunningWorker, WorkerOptions } from '../runtime/worker.ts'
import type { WorkerPool } from '../runtime/worker-pool.ts'
import { itemWaits, presenceSeconds } from './known-work.ts'
import { type ItemQueueOf, type SharedParts, startOneResearcher } from './one-researcher.ts'
import { type PresenceWord, startPresence } from './presence.ts'
import type { Recordings } from './recording.ts'
import type { Report } from './report.ts'
import type { Searcher } from './searcher.ts'

interface MediaTools {
  readonly recordings: Recordings
  readonly searcher: Searcher
  readonly mediaTypes: readonly string[]
  /** Folders to which recordings are written. */
  readonly folders: readonly string[]
}

export type ResearchersContext = SharedParts['context'] & { readonly broker: Broker }

/** Starts the researchers of one process. They close the tools when they stop. */
export const startResearchers = (
  context: ResearchersContext,
  options: WorkerOptions,
  { recordings, searcher, mediaTypes, folders }: MediaTools,
  queueOf: ItemQueueOf,
): RunningWorker => {
  const { clock, log, telemetry, viewStore } = context
  const name = `researcher@${hostname()}/${process.pid}/${uuid().slice(-6)}`
  const source = `fonds://${name}`
  const winding = new AbortController()
  const pools: WorkerPool[] = []
  const busy = () => pools.reduce((sum, pool) => sum + pool.busy(), 0)

  const send: SharedParts['send'] = async (report, id) => {
    await reportOnTopic(context, resultsTopic, source, [{ ...report, id }])
    const outcome = outcomeOf(report)
    if (outcome) telemetry.count('clips', { outcome })
  }

  // Items are handed out by the number of researchers (L1). More researchers than threads would hold items that wait
  // for a thread.
  const ids = Array.from(
    { length: Math.min(options.concurrency, options.threads) },
    (_, i) => `${name}.${i + 1}`,
  )
  const introduction = { version: `fonds ${manifest.version}`, engine: searcher.engine, mediaTypes }
  const say = async (word: PresenceWord) => {
    const more = word === 'researcher.registered' ? introduction : {}
    const words = ids.map((researcher) => ({ type: word, data: { researcher, at: clock.now(), ...more } }))
    await reportOnTopic(context, researchersTopic, source, words)
  }

  for (const outcome of ['found', 'absent', 'failed']) telemetry.count('clips', { outcome }, 0)
  const presence = startPresence({
    say,
    presenceSeconds: () => presenceSeconds(viewStore),
    isWanted: () => busy() > 0 || itemWaits(viewStore, clock.now()),
    onNews: options.onNewWork,
    clock,
    log,
  })
  const waits = createMachineWaits({ clock, folders })
  const shared = {
    context,
    waits,
    options,
    recordings,
    searcher,
    queueOf,
    winding: winding.signal,
    send,
    busy,
  }
  for (const id of ids) pools.push(startOneResearcher(id, shared))

  return {
    name,
    busy,
    stop: async (graceMillis) => {
      winding.abort(new Error('the researcher is stopping'))
      const stopped = Promise.all(pools.map((pool) => pool.stop(graceMillis)))
      await presence.drain()
      await stopped
      await presence.leave()
      await searcher.close()
      await recordings.close()
    },
  }
}

const outcomeOf = (report: Report): 'found' | 'absent' | 'failed' | undefined => {
  if (report.type === 'clip.researched') return report.data.matches.length > 0 ? 'found' : 'absent'
  return report.type === 'research.failed' && report.data.clip !== undefined ? 'failed' : undefined
}
