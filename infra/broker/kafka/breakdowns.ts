import { GroupOfAnotherLog } from '../../../src/async/errors.ts'
import { UnavailableError } from '../../../src/async/unavailable.ts'
import { isTopicMissing, mayPass } from './errors.ts'
import { type Call, failureOf } from './failure.ts'
import type { Outage } from './log.ts'
import { HandlerHangs } from './member.ts'
import type { Log } from './settings.ts'

/** The same failure is reported again after so long. */
const remindMillis = 10 * 60_000

interface BreakdownDependencies {
  readonly group: string
  /** Kafka's name for the group. */
  readonly fullGroup: string
  /** Full names of the topics, and ours. */
  readonly topics: ReadonlyMap<string, string>
  readonly hungMillis: number
  readonly outage: Outage
  readonly onFatal: (error: Error) => void
  readonly log: Log
}

/** Reports to people why members of a group broke down. */
interface Breakdowns {
  reasonOf(error: unknown): string
  /** True for an outage: no person need do anything about it. */
  mayPass(error: unknown): boolean
  /** Reports what passes by itself as an outage, all else as fatal. */
  report(error: unknown): void
}

export const createBreakdowns = (deps: BreakdownDependencies): Breakdowns => {
  const { group, fullGroup, topics, hungMillis, outage, onFatal, log } = deps
  const call: Call = {
    what: `consume as group ${group}`,
    grant: `READ on group ${fullGroup} and on its topics`,
  }
  let last = { reason: '', at: 0 }

  const reasonOf = (error: unknown): string => {
    if (error instanceof HandlerHangs) {
      const minutes = Math.round(hungMillis / 6000) / 10
      return `a batch has not finished for ${minutes} minutes; other members take its partitions until it does`
    }
    if (error instanceof GroupOfAnotherLog || error instanceof UnavailableError) return error.message
    if (isTopicMissing(error))
      return `Kafka does not know all of its topics (${[...topics.values()].join(', ')}); restart Fonds to create those that are missing`
    const failure = failureOf(error, call)
    return 'reason' in failure ? failure.reason : failure.kind
  }

  const fatal = (message: string, cause?: unknown): void => {
    log.error({ group, err: cause }, message)
    onFatal(new Error(message, { cause }))
  }

  const passes = (error: unknown): boolean => mayPass(error) || error instanceof UnavailableError

  return {
    reasonOf,
    mayPass: passes,
    report: (error) => {
      if (error instanceof HandlerHangs) {
        fatal(`group ${group}: ${reasonOf(error)}`)
        return
      }
      const reason = reasonOf(error)
      if (passes(error)) {
        outage.away(reason)
        return
      }
      if (reason === last.reason && performance.now() - last.at < remindMillis) return
      last = { reason, at: performance.now() }
      if (error instanceof GroupOfAnotherLog) {
        fatal(reason)
        return
      }
      const cause = failureOf(error, call).kind === 'Forbidden' ? undefined : error
      fatal(`group ${group} failed, a new consumer is starting: ${reason}`, cause)
    },
  }
}
