import type { Claim, IndexingCommand, Report, Sight } from '#src/domain/indexing/commands.ts'
import { decider } from '#src/domain/indexing/decide.ts'
import type { IndexingEvent } from '#src/domain/indexing/events.ts'
import type { JobOutcome } from '#src/domain/indexing/outcome.ts'
import type { Place } from '#src/domain/indexing/place.ts'
import type { Policy } from '#src/domain/indexing/policy.ts'
import { addMillis, MINUTE } from '#src/domain/kernel/time.ts'
import { specify } from '../../given.ts'

/* Commands and events of one file, as tests want them. */

export const given = specify(decider)
export const file = { repository: 'main', name: 'a.warc.gz' }
export const policy: Policy = { graceMillis: 10 * MINUTE, retryMillis: 15 * MINUTE, maxAttempts: 3 }
const start = '2026-01-31T12:00:00.000Z'

/** So many minutes after the start. */
export const t = (minutes: number): string => addMillis(start, minutes * MINUTE)

/** Who wants what, and when. */
export const by = (minutes: number, actor = 'ada') => ({ file, actor, at: t(minutes) })

/** Where it lies: `modified` is in minutes. */
export const place = (size = 100, modified = -60, location = '/srv/a.warc.gz'): Place => ({
  location,
  size,
  modifiedAt: t(modified),
})
export const elsewhere = (size = 100, modified = -60): Place => place(size, modified, '/mnt/a.warc.gz')

export const sight = (minutes: number, seen: Place = place(), more: Partial<Sight> = {}): Sight => ({
  type: 'Sight',
  ...by(minutes, 'poller'),
  place: seen,
  policy,
  ...more,
})
export const claim = (minutes: number, holder = 'worker-1'): Claim => ({
  type: 'Claim',
  ...by(minutes, holder),
  holder,
  deadline: t(minutes + 5),
  millis: 5 * MINUTE,
  policy,
})
export const report = (minutes: number, fence: number, outcome: JobOutcome): Report => ({
  type: 'Report',
  ...by(minutes, 'worker-1'),
  fence,
  outcome,
  policy,
})

export const digest = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'
export const success = {
  status: 'indexed',
  files: 1,
  lines: 7,
  digest,
  size: 100,
  modifiedAt: t(-60),
} as const
/** Of a salvage. */
export const salvaged = {
  ...success,
  loss: { bytes: 10, places: 1, lost: [{ from: 90, to: 100, reason: 'it ends in a record' }] },
} as const
export const failure = {
  status: 'failed',
  code: 'truncated',
  reason: 'it ends in a record',
  offset: 90,
} as const
export const missing = { status: 'failed', code: 'not-found', reason: 'it is not there' } as const

export const discovered: IndexingEvent = {
  type: 'FileDiscovered',
  data: { ...place(), kind: 'content', at: t(0), dueAt: t(-50) },
}
export const claimed = (minutes: number, fence: number, copy?: string): IndexingEvent => ({
  type: 'FileClaimed',
  data: {
    holder: 'worker-1',
    fence,
    deadline: t(minutes + 5),
    millis: 5 * MINUTE,
    ...(copy !== undefined && { copy }),
  },
})
export const indexed = (minutes: number, fence: number): IndexingEvent => ({
  type: 'FileIndexed',
  data: { fence, lines: 7, digest, size: 100, modifiedAt: t(-60), warnings: [], at: t(minutes) },
})

/** A history, and what a series of commands adds to it. A rejection fails the test. */
export const history = (
  before: readonly IndexingEvent[],
  ...commands: readonly IndexingCommand[]
): readonly IndexingEvent[] => {
  const events = [...before]
  for (const command of commands) events.push(...given(...events).when(command).events)
  return events
}
