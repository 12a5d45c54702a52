import { orThrow } from '../../../async/unavailable.ts'
import type { RemovedPart, RetentionCommand } from '../../../domain/kernel/retention.ts'
import { retention, retentionEvents, retentionStream } from '../../../domain/kernel/retention.ts'
import { DAY, MINUTE } from '../../../domain/kernel/time.ts'
import { isWithinPolicy } from '../../../domain/kernel/within-policy.ts'
import { readOrStop } from '../../../processors/runtime/read-or-stop.ts'
import { logIndex } from '../../../projections/kernel/log-index.ts'
import { dueBy, dueEvents } from '../../../projections/retention/due-events.ts'
import { followPolicies, type Retained } from '../../../projections/retention/policies.ts'
import { timeOfLog } from '../../../projections/retention/time-of-log.ts'
import { rebuild } from '../../../projections/runtime/rebuild.ts'
import { whyKept } from '../../../workflows/retention/why-kept.ts'
import { relayPosition } from '../../lags.ts'
import type { System } from '../../system.ts'
import type { DailyWork } from '../run-sealer.ts'
import { eventsLeft, removeEvents } from './remove-events.ts'

/** A process that runs for less has other work than what is due each day. */
const firstMillis = 10 * MINUTE
const actor = 'fonds/sealer'
const pageSize = 10

/**
 * Applies the policies of retention to what is sealed: names in the log what goes, and removes it in a later round, when that is sealed,
 * too. What a process that died has named is removed by the next one. A failure is logged, and it is tried again.
 */
export const createRetention = (system: System): DailyWork => {
  const { clock, log } = system
  const policies = followPolicies(system.eventStore)
  const begun = clock.monotonic()
  /** When each category was looked through last in this process. */
  const lastRuns = new Map<string, number>()

  const isDue = ({ category, state }: Retained): boolean => {
    if (!state.policy || state.isWanted) return state.isWanted
    const last = lastRuns.get(category) ?? begun + firstMillis - DAY
    const age = state.doneAt === undefined ? DAY : Date.parse(clock.now()) - Date.parse(state.doneAt)
    // A removal that lies ahead is from a clock that ran ahead: nobody waits for it.
    return clock.monotonic() - last >= DAY && (age >= DAY || age < 0)
  }

  return {
    ifDue: async (signal, _, sealing) => {
      if (sealing.size !== sealing.published.size) return
      const { position } = sealing
      try {
        const removed: (() => Promise<unknown>)[] = []
        for (const one of await policies.read()) {
          if (one.namedFrom !== undefined) {
            if (one.position > position) continue
            removed.push(await carryOut(system, one, one.namedFrom, policies, signal))
          } else if (isDue(one)) {
            await nameDue(system, one, position, signal)
            lastRuns.set(one.category, clock.monotonic())
          }
        }
        // Not before the index is made again: a process that dies leaves that to the next one, too.
        if (removed.length > 0) await rebuildIndex(system, signal)
        for (const note of removed) await note()
      } catch (error) {
        if (!signal.aborted)
          log.warn({ err: error, part: 'sealer' }, 'cannot apply the policies of retention; retrying')
      }
    },
  }
}

type Removing = Pick<System, 'eventStore' | 'execute' | 'clock' | 'log' | 'workflows'>

/** Removes what was named before. Returns the way to note that it is done. */
const carryOut = async (
  system: Removing,
  { category, state }: Retained,
  from: bigint,
  policies: ReturnType<typeof followPolicies>,
  signal: AbortSignal,
): Promise<() => Promise<unknown>> => {
  const { eventStore, workflows } = system
  const stream = retentionStream(category)
  // Other programs may write to the log, too: what is needed stays, whatever they name.
  const isKept = whyKept(category, workflows) !== undefined
  let stayed = 0
  for (let next = from; ; ) {
    const page = await orThrow(eventStore.read(stream, next, 'forward', pageSize))
    const now = (await policies.read()).find((one) => one.category === category)?.state
    for (const event of page) {
      const one = readOrStop(retentionEvents, event)
      if (one.type !== 'EventsRemoved') continue
      const isAllowed =
        !isKept &&
        !now?.named?.isStopped &&
        one.data.category === category &&
        isWithinPolicy(one.data, state.policy, event.recordedAt)
      stayed += await (isAllowed ? removeEvents : eventsLeft)(eventStore, one.data, signal)
    }
    if (page.length < pageSize) break
    next = page.at(-1)!.revision + 1n
  }
  const done = { type: 'CarriedOut', category, stayed } as const
  system.log.info({ part: 'sealer', category, stayed }, 'events were removed by a policy of retention')
  return () => record(system, done, `${stream}/${from}`)
}

/** Names what is due and sealed. Where nothing is, that ends what a person wanted. */
const nameDue = async (
  system: Removing & Parameters<typeof relayPosition>[0],
  one: Retained,
  sealed: bigint,
  signal: AbortSignal,
): Promise<void> => {
  const { eventStore, clock, workflows, log } = system
  const { category, state } = one
  const kept = whyKept(category, workflows)
  if (kept !== undefined) log.warn({ part: 'sealer', category }, `nothing is removed: ${kept}`)
  const due = dueBy(one, await timeOfLog(eventStore, clock.now()))
  const { policy } = state
  const cause = `${retentionStream(category)}/${one.position}`
  let waiting: readonly RemovedPart[] | undefined
  let pieces = 0
  let olderThan = ''
  const name = async (streams: readonly RemovedPart[], isLast: boolean): Promise<boolean> => {
    const command = { type: 'Remove', category, policy: policy!, olderThan } as const
    return record(system, { ...command, streams, isLast }, `${cause}/${pieces++}`)
  }
  if (due && kept === undefined) {
    // The relay publishes what it has not yet: it must find it.
    const relayed = (await relayPosition(system))?.position
    const upTo = relayed !== undefined && relayed < sealed ? relayed : sealed
    olderThan = await before(eventStore, { ...due, upTo })
    for await (const streams of dueEvents(eventStore, { ...due, olderThan, upTo, signal })) {
      if (waiting && !(await name(waiting, false))) return
      waiting = streams
    }
    if (waiting) await name(waiting, true)
  }
  if (!waiting) await record(system, { type: 'CarriedOut', category, stayed: 0 }, `${cause}/none`)
}

/** The time before which all is named: what is not sealed or published yet, and is older as well, is named later. */
const before = async (
  eventStore: Pick<System['eventStore'], 'readAll'>,
  {
    category,
    olderThan,
    upTo,
  }: { readonly category: string; readonly olderThan: string; readonly upTo: bigint },
): Promise<string> => {
  for (let after = upTo; ; ) {
    const page = await orThrow(eventStore.readAll(after, { categories: [category] }, 1))
    const [next] = page.events
    if (next) return next.recordedAt < olderThan ? next.recordedAt : olderThan
    if (page.caughtUp) return olderThan
    after = page.position
  }
}

type Recorded = RetentionCommand extends infer C
  ? C extends unknown
    ? Omit<C, 'actor' | 'at'>
    : never
  : never

/** False if the domain says no: the policy was lifted, or another one was set. */
const record = async (
  { execute, clock }: Pick<Removing, 'execute' | 'clock'>,
  command: Recorded & { readonly category: string },
  causationId: string,
): Promise<boolean> => {
  const stream = retentionStream(command.category)
  const given = { ...command, actor, at: clock.now() } as RetentionCommand
  const done = await orThrow(() => execute(retention, { stream, command: given, causationId }))
  return done.kind !== 'rejected'
}

/** The index of all events is of those that are there: made again, it has those alone. On a server they are there until it is scavenged. */
const rebuildIndex = async (
  { eventStore, viewStore }: Pick<System, 'eventStore' | 'viewStore'>,
  signal: AbortSignal,
): Promise<void> => {
  if (!eventStore.scavenge || viewStore.live(logIndex.name)?.version !== logIndex.version) return
  await rebuild(logIndex, { eventStore, viewStore, batchSize: 500, signal })
}
