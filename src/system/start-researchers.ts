import { hostname } from 'node:os'
import { v7 as uuid } from 'uuid'
import manifest from '../../package.json' with { type: 'json' }
import { addMillis, MINUTE, SECOND } from '../domain/kernel/time.ts'
import { defaultPolicy, Policy } from '../domain/research/desk/policy.ts'
import { researchersTopic } from '../domain/research/researcher-messages.ts'
import { resultsTopic } from '../domain/research/result-messages.ts'
import type { Row, ViewStore } from '../ports/view-store.ts'
import { type ItemTask, itemQueue } from '../processors/research/items.ts'
import { insist } from '../workers/research/insist.ts'
import { isOwnFault } from '../workers/research/outcomes.ts'
import { startPresence } from '../workers/research/presence.ts'
import type { Recordings } from '../workers/research/recording.ts'
import { type Report, reports } from '../workers/research/report.ts'
import { research } from '../workers/research/research-item.ts'
import type { Searcher } from '../workers/research/searcher.ts'
import { type Hand, startWorkman, type Workman } from '../workers/runtime/workman.ts'
import { reportOnTopic } from './report-on-topic.ts'
import type { RunningWorker, System, WorkerOptions } from './system.ts'

export interface Ears {
  readonly recordings: Recordings
  readonly searcher: Searcher
  readonly mediaTypes: readonly string[]
}

/** How long a researcher rests whose machine is at fault: its disk is full, files cannot be opened. */
const restMillis = MINUTE

/** The researchers of one process. They close the ears when they stop. */
export const startResearchers = (system: System, options: WorkerOptions, ears: Ears): RunningWorker => {
  const { clock, config, execute, log, telemetry, viewStore } = system
  const { recordings, searcher, mediaTypes } = ears
  const name = `researcher@${hostname()}/${process.pid}/${uuid().slice(-6)}`
  const source = `fonds://${name}`
  const winding = new AbortController()

  // A researcher a hand: each has one item at a time, and items are handed out by the number of researchers (L1). No more of
  // them than threads: they would hold items that wait for a thread.
  const ids = Array.from({ length: Math.min(options.hands, options.threads) }, (_, i) => `${name}.${i + 1}`)

  const sendOnce = async (report: Report, id = uuid()) => {
    await reportOnTopic(system, resultsTopic, source, [{ ...report, id }])
    const outcome = outcomeOf(report)
    if (outcome) telemetry.count('clips', { outcome })
  }

  const startOne = (researcher: string): Workman => {
    let restsUntil: string | undefined
    const reportsOf = (task: ItemTask) => reports(task, { researcher, engine: searcher.engine, clock })

    const perform = async (task: ItemTask, { signal, progress }: Hand) => {
      const ended = new AbortController()
      const stopWatching = options.onNewWork(() => {
        if (hasEnded(viewStore, task.lease)) ended.abort(new Error('its lease has ended'))
      })
      const hold = { signal: AbortSignal.any([signal, ended.signal]), progress, winding: winding.signal }
      const send = (report: Report) => {
        const id = uuid()
        return insist(() => sendOnce(report, id), hold, { clock, log })
      }
      try {
        const tools = { recordings, searcher, clock, researcher, engine: searcher.engine, send }
        await research(task, tools, hold)
      } catch (error) {
        if (ended.signal.aborted)
          log.info({ lease: task.lease }, 'the lease has ended; work on it was stopped')
        else if (isOwnFault(error)) {
          restsUntil = addMillis(clock.now(), restMillis)
          log.error({ err: error, restsUntil }, 'this researcher cannot work now, and rests')
        } else throw error
      } finally {
        stopWatching()
      }
    }

    return startWorkman<ItemTask>({
      name: 'researcher',
      queues: [
        itemQueue({
          execute,
          viewStore,
          clock,
          researcher,
          isAtHand: (media) => recordings.has(media),
          restsUntil: () => restsUntil,
          release: (task, reason) => sendOnce(reportsOf(task).released(reason)),
          // The episode gets the attempt: it is what would be handed out again at once.
          fail: (task, error) =>
            sendOnce(reportsOf(task).failed({ subject: 'episode', stage: 'search', error }, true)),
        }),
      ],
      perform,
      hands: 1,
      stallMillis: (config.stallSeconds + 30) * SECOND,
      backoff: { minMillis: config.idleMinSeconds * SECOND, maxMillis: config.idleMaxSeconds * SECOND },
      onNewWork: options.onNewWork,
      clock,
      // The busy hands of all: the gauge is the process's.
      telemetry: { ...telemetry, gauge: (gauge, labels) => telemetry.gauge(gauge, labels, busy()) },
      log,
    })
  }

  for (const outcome of ['found', 'absent', 'failed']) telemetry.count('clips', { outcome }, 0)
  const introduction = { version: `fonds ${manifest.version}`, engine: searcher.engine, mediaTypes }
  const workmen: Workman[] = []
  const busy = () => workmen.reduce((sum, workman) => sum + workman.busy(), 0)
  const presence = startPresence({
    say: async (word) => {
      const more = word === 'researcher.registered' ? introduction : {}
      const words = ids.map((researcher) => ({
        type: word,
        data: { researcher, at: clock.now(), ...more },
      }))
      await reportOnTopic(system, researchersTopic, source, words)
    },
    presenceSeconds: () => presenceSeconds(viewStore),
    isWanted: () => busy() > 0 || itemWaits(viewStore, clock.now()),
    onNews: options.onNewWork,
    clock,
    log,
  })
  for (const id of ids) workmen.push(startOne(id))

  return {
    name,
    busy,
    stop: async (graceMillis) => {
      winding.abort(new Error('the researcher is stopping'))
      const stopped = Promise.all(workmen.map((workman) => workman.stop(graceMillis)))
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

/** As far as the views know: what they cannot tell now, the next extension finds out. */
const hasEnded = (viewStore: ViewStore, lease: string): boolean =>
  known(viewStore, 'research-leases', 'lease', lease)?.state === 'ended'

const itemWaits = (viewStore: ViewStore, now: string): boolean =>
  viewStore.shape('research-leases') !== undefined &&
  viewStore.query('research-leases', {
    where: [
      { column: 'state', is: '=', value: 'waiting' },
      { column: 'notAfter', is: '>', value: now },
    ],
    limit: 1,
  }).length > 0

const presenceSeconds = (viewStore: ViewStore): number => {
  const policy = known(viewStore, 'research-desk', 'name', 'research')?.policy
  return (Policy.is(policy) ? policy : defaultPolicy).presenceSeconds
}

const known = (viewStore: ViewStore, view: string, column: string, value: string): Row | undefined => {
  try {
    return viewStore.query(view, { where: [{ column, is: '=', value }], limit: 1 })[0]
  } catch {
    // Not folded yet, or away.
    return undefined
  }
}
