import * as E from 'fp-ts/lib/Either.js'
import type { Command, Decider } from '../../kernel/decider.ts'
import { category, type ReportEvent, reportEvents, type SentReport } from './events.ts'

/** The period that it is seen in. */
export interface ScheduleReport extends Command {
  readonly type: 'ScheduleReport'
  readonly schedule: string
  readonly since: string
  readonly until: string
}

/** A report is sent before it is recorded. */
export interface NoteSent extends Command {
  readonly type: 'NoteSent'
  readonly sent: Omit<SentReport, 'at'>
}

interface Scheduled {
  /** End of the last period that is done. */
  readonly done: string
  /** Time at which the schedule was seen first; after a clock was ahead, once more. */
  readonly begunAt: string
}

/** Undefined if the schedule was never seen. */
type ReportState = Scheduled | undefined

export const reportDecider: Decider<ReportState, ScheduleReport | NoteSent, ReportEvent, never> = {
  category,
  events: reportEvents,
  initial: undefined,
  evolve: (before, { type, data }) =>
    type === 'ReportSent'
      ? { done: data.until, begunAt: before?.begunAt ?? data.at }
      : { done: data.since, begunAt: data.at },
  decide: (command, state) => {
    const done = state?.done
    if (command.type === 'ScheduleReport') {
      const { schedule, since, until, at } = command
      // Reports of periods that are to come were sent while a clock was ahead: it begins anew.
      const isNew = done === undefined || done > until
      return E.right(isNew ? [{ type: 'ReportScheduled', data: { schedule, since, at } }] : [])
    }
    const { sent, at } = command
    const isNews = done === undefined || sent.until > done
    return E.right(isNews ? [{ type: 'ReportSent', data: { ...sent, at } }] : [])
  },
}
