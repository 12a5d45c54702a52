import { describeDifference } from '../../../domain/ingest/object/storage.ts'
import { storageDifferences } from '../../../domain/ingest/views.ts'
import { rows } from '../../../domain/kernel/read-views.ts'
import { addMillis, HOUR } from '../../../domain/kernel/time.ts'
import type { Views } from '../../../domain/kernel/view.ts'
import { countBatches, countJobs, maxFoundByRule, type Rule } from './audited.ts'
import {
  batchWithoutNumber,
  bucketsDiffer,
  jobsMissing,
  jobWithoutBatch,
  notOpened,
  notReported,
  numberTwice,
} from './batch-rules.ts'
import type { Finding } from './finding.ts'
import { claimDiffers, claimOverdue, placeDiffers, queuesDiffer, storedTwice } from './job-rules.ts'
import { neverFits } from './room-rules.ts'
import { siteAway } from './site-rules.ts'
import type { WorkRoom } from './work-room.ts'

/** Storage holds the objects that the log records, as far as they were compared. */
const storageDiffers: Rule = ({ views }) =>
  rows(views, storageDifferences, { orderBy: [{ column: 'since' }], limit: maxFoundByRule }).flatMap(
    ({ object, differences }) =>
      differences.map((one) => ({
        subject: object,
        says: describeDifference(object, one),
        since: one.since,
      })),
  )

/** Findings of all rules: warnings for the first hour, then failures. */
export const findings = (views: Views, now: string, room?: WorkRoom): readonly Finding[] => {
  const audited = { views, now, room, batchCounts: countBatches(views), jobCounts: countJobs(views) }
  return Object.entries(rules).flatMap(([rule, find]) =>
    find(audited)
      .slice(0, maxFoundByRule)
      .map(({ subject, says, since }) => ({
        rule,
        subject,
        says,
        since,
        severity: since < addMillis(now, -HOUR) ? ('failure' as const) : ('warning' as const),
      })),
  )
}

const rules: Readonly<Record<string, Rule>> = {
  'batch-without-number': batchWithoutNumber,
  'number-twice': numberTwice,
  'job-without-batch': jobWithoutBatch,
  'buckets-differ': bucketsDiffer,
  'jobs-missing': jobsMissing,
  'not-opened': notOpened,
  'not-reported': notReported,
  'queues-differ': queuesDiffer,
  'place-differs': placeDiffers,
  'claim-overdue': claimOverdue,
  'claim-differs': claimDiffers,
  'stored-twice': storedTwice,
  'site-away': siteAway,
  'never-fits': neverFits,
  'storage-differs': storageDiffers,
}

export const ruleNames: readonly string[] = Object.keys(rules)
