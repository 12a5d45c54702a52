import type { Admin } from 'kafkajs'
import { errorMessage, GroupOfAnotherLog } from '../../../src/async/errors.ts'
import { type Failed, keepTrying } from '../../../src/async/keep-trying.ts'
import { orThrow, UnavailableError } from '../../../src/async/unavailable.ts'
import { type LogMark, writeMark } from '../../../src/domain/kernel/group-binding.ts'
import type { Clock } from '../../../src/ports/clock.ts'
import type { BoundPlace, OwnLog } from '../../../src/ports/group-binding.ts'
import { isBoundTo } from './bound-log.ts'
import type { Cluster } from './cluster.ts'
import { isMembershipLost } from './errors.ts'
import { committedOffsets, type MarkedOffsets } from './group-offsets.ts'
import { topicOffsets } from './list-topics.ts'
import type { Outage } from './log.ts'
import { type Share, unmarkedOffsets } from './unmarked-offsets.ts'

/** Keeps a consumer group with one log. */
export interface Binder {
  /** Goes beside each commit, and to the leader that assigns the partitions. */
  mark(): LogMark | undefined
  /** Rejects with `GroupOfAnotherLog`. Resolves where something is away: `bind` is what makes certain. */
  check(): Promise<void>
  /**
   * Resolves when it is certain that the group is this log's, and all of the share says so: nothing may be handled
   * before. What is away is waited for; false when `over` aborts. Rejects with `GroupOfAnotherLog`.
   */
  bind(share: Share, commit: (offsets: MarkedOffsets) => Promise<void>, over: AbortSignal): Promise<boolean>
  /**
   * Who of the members works for the group's log. A group without a log gets this one. Where something is away it is
   * all of them, for each makes certain for itself.
   */
  admit(marks: ReadonlyMap<string, LogMark | undefined>): Promise<readonly string[]>
}

interface BinderDependencies {
  readonly group: string
  readonly fullGroup: string
  /** Full names of the topics, and ours. */
  readonly topics: ReadonlyMap<string, string>
  readonly cluster: Pick<Cluster, 'call'>
  readonly ownLog: OwnLog
  readonly clock: Pick<Clock, 'sleep'>
  readonly outage: Outage
}

/** Milliseconds until others may have bound it. */
const pollMillis = 250
/** Others that got partitions bind the group within moments; a member without any need not wait for longer. */
const maxRounds = 40

export const createGroupBinder = (deps: BinderDependencies): Binder => {
  const { group, fullGroup, topics, cluster, ownLog, clock, outage } = deps
  const call = {
    what: `look where group ${group} stands`,
    grant: `READ on group ${fullGroup} and on its topics`,
  }

  const ask = <A>(work: (admin: Admin) => Promise<A>): Promise<A> => orThrow(cluster.call(call, work))

  const committed = async (): Promise<readonly BoundPlace[]> =>
    (await ask((admin) => committedOffsets(admin, fullGroup))).filter(({ topic }) => topics.has(topic))

  const startsOf = async (topic: string): Promise<ReadonlyMap<number, bigint>> => {
    const offsets = await ask((admin) => topicOffsets(admin, topic))
    return new Map(offsets.map(({ partition, start }) => [partition, start]))
  }

  const attempt = async (
    share: Share,
    commit: (offsets: MarkedOffsets) => Promise<void>,
  ): Promise<'bound' | 'unbound' | 'marked'> => {
    const before = await committed()
    const isBound = await isBoundTo(ownLog, group, before)
    const unmarked = await unmarkedOffsets(share, before, textOf(ownLog.newest()), startsOf)
    if (unmarked.length === 0) return isBound ? 'bound' : 'unbound'
    await commit(unmarked)
    return 'marked'
  }

  const onFailure = ({ error }: Failed): void => {
    if (error instanceof GroupOfAnotherLog) throw error
    // Kafka refuses a commit of a generation that has passed: the member joins again, and this is over.
    if (!isMembershipLost(error)) outage.away(`cannot bind group ${group} to its log: ${errorMessage(error)}`)
  }

  return {
    mark: () => ownLog.newest(),

    check: async () => {
      try {
        await isBoundTo(ownLog, group, await committed())
      } catch (error) {
        if (!(error instanceof UnavailableError)) throw error
      }
    },

    bind: async (share, commit, over) => {
      const hasShare = Object.values(share).some((numbers) => numbers.length > 0)
      let rounds = 0
      let isDone = false
      const bindOnce = async (succeeded: () => void): Promise<void> => {
        const isLast = rounds++ >= maxRounds
        const outcome = await attempt(share, commit)
        succeeded()
        // What was marked is read again: two of different logs cannot both find nothing but their own.
        if (outcome === 'marked') return
        isDone = outcome === 'bound' || hasShare || isLast
        if (!isDone) await clock.sleep(pollMillis, over)
      }
      const isOver = () => isDone || over.aborted
      await keepTrying(bindOnce, { clock, signal: over, isOver, onFailure })
      return !over.aborted
    },

    admit: async (marks) => {
      try {
        return await admitted(ownLog, await committed(), marks)
      } catch (error) {
        if (error instanceof UnavailableError) return [...marks.keys()]
        throw error
      }
    },
  }
}

const admitted = async (
  ownLog: OwnLog,
  committed: readonly BoundPlace[],
  marks: ReadonlyMap<string, LogMark | undefined>,
): Promise<readonly string[]> => {
  const own = await ownLog.ask()
  const log = committed.find(({ mark }) => mark !== undefined)?.mark?.log ?? own.log
  const members: string[] = []
  for (const [member, mark] of marks) {
    // Members of older versions do not say for whom they work.
    const isOther = mark !== undefined && mark.log !== log
    const isCopy = mark?.at !== undefined && mark.log === own.log && !(await ownLog.holds(mark.at))
    if (!isOther && !isCopy) members.push(member)
  }
  return members
}

export const textOf = (mark: LogMark | undefined): string | null =>
  mark === undefined ? null : writeMark(mark)
