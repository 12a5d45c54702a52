import { hostname } from 'node:os'
import { isLeft } from 'fp-ts/lib/Either.js'
import { v5 as uuid } from 'uuid'
import { backoffMillis } from '../../async/backoff.ts'
import { livePosition } from '../../async/caught-up.ts'
import { orThrow } from '../../async/unavailable.ts'
import { category, type Known, noticeEvents, noticeStream, notices } from '../../domain/kernel/notices.ts'
import { addressIn, type Reference } from '../../domain/kernel/person.ts'
import { isQuiet, parseQuietHours } from '../../domain/kernel/quiet-hours.ts'
import { MINUTE, SECOND } from '../../domain/kernel/time.ts'
import type { Mailer } from '../../ports/mailer.ts'
import type { Term } from '../../processors/runtime/leader-term.ts'
import { readOrStop } from '../../processors/runtime/read-or-stop.ts'
import type { Cause } from '../../workflows/cause.ts'
import { addressesOf, withoutAddress } from '../../workflows/persons.ts'
import { projectionsOf } from '../../workflows/workflow-model.ts'
import { causesOf } from '../causes.ts'
import { headOf } from '../lags.ts'
import { readableValue } from '../readable-values.ts'
import type { System } from '../system.ts'
import { type Channel, channelsOf, mailChannel } from './channels.ts'
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
  const { signal } = stopping
  const running = [
    ...channelsOf(system).map((channel) =>
      notifyOn(
        createNotifier(channel, () => causesOf(system), system, term),
        channel,
        system,
        term,
        signal,
      ),
    ),
    ...(system.mailer ? [notifyAssignees(system, system.mailer, term, signal)] : []),
  ]
  return {
    stop: async () => {
      stopping.abort()
      await Promise.all(running)
    },
  }
}

interface Notifier {
  /** False: what is due could not be told. */
  notify(): Promise<boolean>
}

const createNotifier = (
  channel: Channel,
  causesNow: () => Promise<readonly Cause[]>,
  system: System,
  term: Pick<Term, 'isLeader'>,
): Notifier => {
  const { clock, config, log } = system
  const quiet = () => (config.noticesQuiet === undefined ? undefined : parseQuietHours(config.noticesQuiet))
  const setting = () => ({
    where: `${hostname()}, ${config.home}`,
    at: clock.now(),
    publicUrl: config.publicUrl,
    endOf: (key: string) => system.workflows.map((one) => one.endOf?.(key)).find((one) => one !== undefined),
  })
  const watch = watchCauses()
  return {
    notify: async () => {
      if (await areBehind(system)) return true
      const [causes, { known, revision }] = await Promise.all([causesNow(), notifiedOn(system, channel.name)])
      const now = clock.monotonic()
      watch.see(causes, known, now)
      const due = dueOf(causes, known, (key) => watch.lastedMillis(key, now) >= waitMillis(system))
      if (isNothing(due) || isQuiet(quiet(), clock.now()) || !term.isLeader()) return true
      const id = uuid([channel.name, revision, ...keysOf(due)].join('\n'), namespace)
      // People read names; the log has references.
      const { fresh, grown } = await readableValue(system.personal, { fresh: due.fresh, grown: due.grown })
      const sent = await channel.send(noticeMessage(id, { ...due, fresh, grown }, setting()))
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
    },
  }
}

// Settings of the log change while this runs.
const waitMillis = ({ config }: System): number => config.noticesAfterSeconds * SECOND
const untilNextPoll = (system: System): number =>
  Math.min(maxPollMillis, Math.max(SECOND / 4, waitMillis(system) / 2))

const notifyOn = async (
  { notify }: Notifier,
  { name }: Pick<Channel, 'name'>,
  system: System,
  term: Pick<Term, 'isLeader'>,
  signal: AbortSignal,
): Promise<void> => {
  const { clock, log } = system
  let failures = 0
  while (!signal.aborted && term.isLeader()) {
    const isNotified = await notify().catch((error: unknown) => {
      log.warn(
        { err: error, channel: name },
        'cannot read what waits for people, or record a notice; retrying',
      )
      return false
    })
    failures = isNotified ? 0 : failures + 1
    const pause =
      failures === 0 ? 0 : backoffMillis(failures, { minMillis: untilNextPoll(system), ...refusedPauses })
    await clock.sleep(Math.max(untilNextPoll(system), pause), signal)
  }
}

/** People whom things were given to; further ones wait until others have nothing left. */
const maxAssignees = 200

/** Mails each person what was given to them, as the other channels tell everybody: once, and when it is over. */
const notifyAssignees = (
  system: System,
  mailer: Mailer,
  term: Pick<Term, 'isLeader'>,
  signal: AbortSignal,
): Promise<void> => {
  const notifiers = new Map<string, Notifier>()
  let assigned: ReadonlyMap<string, readonly Cause[]> = new Map()
  const notifierOf = (person: Reference): Notifier => {
    const known = notifiers.get(person)
    if (known) return known
    // Where an older version wrote the address to the log, the stream has its name of the address.
    const name = `person-${uuid(addressIn(person) ?? person, namespace)}`
    const channel = mailChannel(name, [person], { ...system, mailer })
    const made = createNotifier(channel, async () => assigned.get(person) ?? [], system, term)
    notifiers.set(person, made)
    return made
  }
  const unreachable = new Set<Reference>()
  /** Logs once that no mail address is kept for a person to whom something was given. */
  const isReachable = async (person: Reference): Promise<boolean> => {
    const { recipientOf } = await addressesOf(system, [person])
    if (recipientOf.size > 0) {
      unreachable.delete(person)
      return true
    }
    if (!unreachable.has(person))
      system.log.warn(`what was given to them is not mailed: ${withoutAddress([person])}`)
    unreachable.add(person)
    return false
  }
  const notify = async (): Promise<boolean> => {
    const all = new Map<string, readonly Cause[]>()
    for (const workflow of system.workflows)
      for (const [person, causes] of (await workflow.assigned?.(system)) ?? [])
        all.set(person, [...(all.get(person) ?? []), ...causes])
    // A person who had something, and has nothing more, is told that, too.
    for (const person of notifiers.keys()) if (!all.has(person)) all.set(person, [])
    assigned = all
    let isNotified = true
    // Nobody waits for the mail of one who was forgotten.
    for (const person of [...all.keys()].slice(0, maxAssignees))
      if (await isReachable(person)) isNotified = (await notifierOf(person).notify()) && isNotified
    return isNotified
  }
  return notifyOn({ notify }, { name: 'people' }, system, term, signal)
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
