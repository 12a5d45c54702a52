import { type Either, isRight, left, right } from 'fp-ts/lib/Either.js'
import { orThrow } from '../../async/unavailable.ts'
import { plural } from '../../domain/kernel/amounts.ts'
import type { Rejection } from '../../domain/kernel/rejection.ts'
import { category as retentionCategory, retentionEvents } from '../../domain/kernel/retention.ts'
import { MINUTE, millisBetween } from '../../domain/kernel/time.ts'
import { treeMark } from '../../processors/runtime/tree-mark.ts'
import { countDue, dueBy } from '../../projections/retention/due-events.ts'
import { policiesOfLog } from '../../projections/retention/policies.ts'
import { timeOfLog } from '../../projections/retention/time-of-log.ts'
import type { DoneBefore } from '../workflow.ts'
import type { WorkflowContext } from '../workflow-context.ts'
import { whyKept } from './why-kept.ts'

/** A category, and whether a person knows how much would go. */
export interface ToRun {
  readonly category: string
  readonly confirmed?: boolean
}

/** Whether a policy may be applied now, and how much would go. Throws `UnavailableError`. */
export const mayRun = async (
  { category, confirmed }: ToRun,
  { eventStore, clock, workflows }: WorkflowContext,
): Promise<Either<Rejection, Pick<ToRun, 'category'>>> => {
  const found = (await policiesOfLog(eventStore)).find((one) => one.category === category)
  const now = await timeOfLog(eventStore, clock.now())
  const due = found && dueBy(found, now)
  // The decider has the words for that.
  if (!due || found.state.isWanted) return right({ category })
  const kept = whyKept(category, workflows)
  if (kept !== undefined)
    return left({ code: 'needed', message: `nothing of ${category} may be removed any more: ${kept}` })
  if ((await treeMark(eventStore)) === undefined)
    return left({
      code: 'not-sealed',
      message:
        'only what is sealed is removed, and no home has a Merkle tree of this log: `fonds start` begins one, unless its roles leave out the sealer',
    })
  const { streams, events } = await countDue(eventStore, due)
  if (events === 0)
    return left({
      code: 'nothing-due',
      message: `no event of ${category}-… is older than ${due.olderThan} and settled${isBehind(now, clock.now()) ? `; counted from ${now}, a day behind what the log had an hour ago: it is ${clock.now()} here` : ''}`,
    })
  if (confirmed !== true)
    return left({
      code: 'not-confirmed',
      message: `${plural(events, 'event')} of ${plural(streams, 'stream')} would go, and nothing brings ${events === 1 ? 'it' : 'them'} back: give confirmed=true. ${staysIn(eventStore)}`,
    })
  return right({ category })
}

const isBehind = (time: string, now: string): boolean => millisBetween(time, now) > MINUTE

/** Where nobody can take events out. */
const staysIn = ({ scavenge }: WorkflowContext['eventStore']): string =>
  `${scavenge ? '' : 'The server of the log keeps them until its operator has it scavenged. '}Older backups keep what they have, so do exports, and event topics of the relay`

/** The request that has a cause; undefined if there is none. Throws `UnavailableError`. */
export const requestedBy = async (
  cause: string,
  { eventStore }: Pick<WorkflowContext, 'eventStore'>,
): Promise<DoneBefore | undefined> => {
  const filter = { categories: [retentionCategory], types: ['RemovalRequested'] }
  for (let after = -1n; ; ) {
    const page = await orThrow(eventStore.readAll(after, filter, 1000))
    const event = page.events.find(({ metadata }) => metadata.causationId === cause)
    const found = event && retentionEvents.read(event)
    if (found && isRight(found) && found.right.type === 'RemovalRequested') {
      const { category, actor, reason } = found.right.data
      return { done: { category }, actor, reason }
    }
    if (page.caughtUp) return undefined
    after = page.position
  }
}
