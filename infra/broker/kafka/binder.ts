import { errorMessage, GroupOfAnotherLog } from '../../../src/async/errors.ts'
import { type Failed, keepTrying } from '../../../src/async/keep-trying.ts'
import { UnavailableError } from '../../../src/async/unavailable.ts'
import { type LogMark, writeMark } from '../../../src/domain/kernel/group-binding.ts'
import type { Clock } from '../../../src/ports/clock.ts'
import type { BoundPlace, OwnLog } from '../../../src/ports/group-binding.ts'
import { isBoundTo } from './bound-log.ts'
import { isMembershipLost } from './errors.ts'
import type { MarkedOffsets } from './group-offsets.ts'
import { createGroupReader, type GroupReaderDependencies } from './group-reader.ts'
import type { Outage } from './log.ts'
import { type Share, unmarkedOffsets } from './unmarked-offsets.ts'

/** Binds a consumer group to one log. */
export interface Binder {
  /** Sent with each commit, and to the leader of the group, which assigns the partitions. */
  mark(): LogMark | undefined
  /** Rejects with `GroupOfAnotherLog`. Resolves where that cannot be found out now: `bind` waits for it. */
  check(): Promise<void>
  /**
   * Resolves to true when the group is certainly this log's, and every partition of the share has its mark: nothing may be
   * handled before. Resolves to false when `over` aborts. Rejects with `GroupOfAnotherLog`.
   */
  bind(share: Share, commit: (offsets: MarkedOffsets) => Promise<void>, over: AbortSignal): Promise<boolean>
  /**
   * The members that work for the group's log. A group without a log gets this one. All of them where that cannot be found
   * out now, since each calls `bind` for itself.
   */
  admit(marks: ReadonlyMap<string, LogMark | undefined>): Promise<readonly string[]>
}

interface BinderDependencies extends GroupReaderDependencies {
  readonly ownLog: OwnLog
  readonly clock: Pick<Clock, 'sleep'>
  readonly outage: Outage
}

/** Milliseconds until it is read again whether other members have bound the group. */
const pollMillis = 250
/** Members with partitions bind the group within moments. One without any stops waiting for that after so many reads. */
const maxRounds = 40

export const createGroupBinder = (deps: BinderDependencies): Binder => {
  const { group, ownLog, clock, outage } = deps
  const { committed, startsOf } = createGroupReader(deps)

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
    // Kafka rejects a commit of an earlier generation: the member joins again, and `over` aborts.
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
        // Marks are read again after they were written, so that members of two logs cannot both find their own alone.
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
    // Members of older versions have no mark.
    const isOther = mark !== undefined && mark.log !== log
    const isCopy = mark?.at !== undefined && mark.log === own.log && !(await ownLog.holds(mark.at))
    if (!isOther && !isCopy) members.push(member)
  }
  return members
}

export const textOf = (mark: LogMark | undefined): string | null =>
  mark === undefined ? null : writeMark(mark)
