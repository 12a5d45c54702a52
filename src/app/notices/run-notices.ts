import { hostname } from 'node:os'
import { isLeft } from 'fp-ts/lib/Either.js'
import { v5 as uuid } from 'uuid'
import { backoffMillis } from '../../async/backoff.ts'
import { livePosition } from '../../async/caught-up.ts'
import { orThrow } from '../../async/unavailable.ts'
import { category, type Known, noticeEvents, noticeStream, notices } from '../../domain/kernel/notices.ts'
import { isQuiet, parseQuietHours } from '../../domain/kernel/quiet-hours.ts'
import { MINUTE, SECOND } from '../../domain/kernel/time.ts'
import type { Term } from '../../processors/runtime/leader-term.ts'
import { readOrStop } from '../../processors/runtime/read-or-stop.ts'
import { projectionsOf } from '../../workflows/workflow-model.ts'
import { causesOf } from '../causes.ts'
import { headOf } from '../lags.ts'
import type { System } from '../system.ts'
import { type Channel, channelsOf } from './channels.ts'
import { dueOf, isNothing, knownAfter, watchCauses } from './due.ts'
import { noticeMessage } from './message.ts'

/** Views that are further behind are just being folded: they do not show yet what waits. */
const maxBehind = 10_000n
const maxPollMillis = 30 * SECOND
/** A receiver that refuses is asked ever more rarely. */
const refusedPauses = { maxMillis: 15 * MINUTE }

const namespace = '6f0c3f0a-6c1e-5d0b-9a53-3b9d5b1b7d0e'

/**
 * Tells people on every channel that is set what waits for them, for as long as the term lasts. What was told is recorded
 * behind the sending: after a crash in between it is told again, with the same id.
 */
export const runNotices = (system: System, term: Pick<Term, 'isLeader'>): { stop(): Promise<void> } => {
  const stopping = new AbortController()
  const running = channelsOf(system).map((channel) => notifyOn(channel, system, term, stopping.signal))
  return {
    stop: async () => {
      stopping.abort()
      await Promise.all(running)
    },
  }
}

const notifyOn = async (
  channel: Channel,
  system: System,
  term: Pick<Term, 'isLeader'>,
  signal: AbortSignal,
): Promise<void> => {
  const { clock, config, log } = system
  // Settings of the log change while this runs.
  const waitMillis = () => config.noticesAfterSeconds * SECOND
  const untilNextPoll = () => Math.min(maxPollMillis, Math.max(SECOND / 4, waitMillis() / 2))
  const quiet = () => (config.noticesQuiet === undefined ? undefined : parseQuietHours(config.noticesQuiet))
  const setting = () => ({
    where: `${hostname()}, ${config.home}`,
    at: clock.now(),
    publicUrl: config.publicUrl,
    endOf: (key: string) => system.workflows.map((one) => one.endOf?.(key)).find((one) => one !== undefined),
  })
  const watch = watchCauses()
  let failures = 0

  /** False: what is due could not be told. */
  const notify = async (): Promise<boolean> => {
    if (await areBehind(system)) return true
    const [causes, { known, revision }] = await Promise.all([
      causesOf(system),
      notifiedOn(system, channel.name),
    ])
    const now = clock.monotonic()
    watch.see(causes, known, now)
    const due = dueOf(causes, known, (key) => watch.lastedMillis(key, now) >= waitMillis())
    if (isNothing(due) || isQuiet(quiet(), clock.now()) || !term.isLeader()) return true
    const id = uuid([channel.name, revision, ...keysOf(due)].join('\n'), namespace)
    const sent = await channel.send(noticeMessage(id, due, setting()))
    if (isLeft(sent)) {
      log.error({ channel: channel.name, reason: sent.left }, 'a notice was not accepted; sending it again')
      return false
    }
    await orThrow(
      () =>
        system.execute(notices, {
          stream: noticeStream(channel.name),
          command: {
            type: 'Note',
            actor: category,
            at: clock.now(),
            sent: {
              message: id,
              known: knownAfter(known, due),
              told: [...due.fresh, ...due.grown].map(({ key }) => key),
              over: [...due.over],
            },
          },
          causationId: id,
        }),
      'cannot record that a notice was sent',
    )
    return true
  }

  while (!signal.aborted && term.isLeader()) {
    const isNotified = await notify().catch((error: unknown) => {
      log.warn(
        { err: error, channel: channel.name },
        'cannot read what waits for people, or record a notice; retrying',
      )
      return false
    })
    failures = isNotified ? 0 : failures + 1
    const pause =
      failures === 0 ? 0 : backoffMillis(failures, { minMillis: untilNextPoll(), ...refusedPauses })
    await clock.sleep(Math.max(untilNextPoll(), pause), signal)
  }
}

const keysOf = ({ fresh, grown, over }: ReturnType<typeof dueOf>): readonly string[] => [
  ...[...fresh, ...grown].map(({ key }) => key),
  ...over,
]

/** The latest event says everything. Throws `UnavailableError`. */
const notifiedOn = async (
  { eventStore }: Pick<System, 'eventStore'>,
  channel: string,
): Promise<{ readonly known: Known; readonly revision: string }> => {
  const [last] = await orThrow(eventStore.read(noticeStream(channel), 'end', 'backward', 1))
  return last
    ? { known: readOrStop(noticeEvents, last).data.known, revision: String(last.revision) }
    : { known: {}, revision: 'none' }
}

const areBehind = async (system: System): Promise<boolean> => {
  const head = await headOf(system)
  return projectionsOf(system.workflows).some(
    ({ name }) => head - livePosition(system.viewStore, name) > maxBehind,
  )
}
