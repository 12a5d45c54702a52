import * as t from 'io-ts'

const textOrNull = t.union([t.string, t.null])
const numberOrNull = t.union([t.number, t.null])

export const ReportedJob = t.type({
  job: t.number,
  result: t.keyof({ failed: null, pending: null, completed: null, deleted: null }),
  ark: textOrNull,
  version: numberOrNull,
  /** Completed since the report before. */
  isNew: t.boolean,
  localIds: t.readonlyArray(t.string),
  title: textOrNull,
  message: textOrNull,
})

/** The report of a submission to its depositor. */
export const DepositorReport = t.type({
  /** The submission's public id. */
  batch: t.string,
  number: numberOrNull,
  /** Null: no report was saved yet; this is the state now. */
  report: numberOrNull,
  submitter: t.string,
  profile: t.string,
  title: textOrNull,
  payload: t.string,
  submittedAt: t.string,
  finishedAt: textOrNull,
  result: t.keyof({ OK: null, FAIL: null, OPEN: null }),
  message: textOrNull,
  /** Outcome of the mail about it, in a sentence; null if no report was saved yet. */
  mail: textOrNull,
  counts: t.type({
    jobs: t.number,
    pending: t.number,
    completed: t.number,
    failed: t.number,
    deleted: t.number,
    newlyCompleted: t.number,
  }),
  /** Failed ones first. */
  jobs: t.array(ReportedJob),
  /** Jobs that are not listed. */
  leftOut: t.number,
})
export type DepositorReport = t.TypeOf<typeof DepositorReport>
