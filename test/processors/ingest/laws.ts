import { expect } from 'vitest'
import { batchEvents } from '#src/domain/ingest/batch/events.ts'
import { ends } from '#src/domain/ingest/batch/jobs.ts'
import { type BatchOrNone, evolve } from '#src/domain/ingest/batch/state.ts'
import { categories } from '#src/domain/ingest/ids.ts'
import { jobEvents } from '#src/domain/ingest/job/events.ts'
import { isResume } from '#src/domain/ingest/job/state.ts'
import { isWorkState } from '#src/domain/ingest/transitions.ts'
import { categoryOf, type RecordedEvent } from '#src/domain/kernel/event.ts'
import { readOrStop } from '#src/processors/runtime/read-or-stop.ts'

/* What no log of ingest may hold, whatever happened. */

const streamsOf = (category: string, events: readonly RecordedEvent[]) =>
  Map.groupBy(
    events.filter(({ stream }) => categoryOf(stream) === category),
    ({ stream }) => stream,
  )

const jobsIn = (events: readonly RecordedEvent[]) =>
  [...streamsOf(categories.job, events)].map(
    ([stream, those]) => [stream, those.map((event) => readOrStop(jobEvents, event))] as const,
  )

const batchesIn = (events: readonly RecordedEvent[]) =>
  [...streamsOf(categories.batch, events)].map(
    ([stream, those]) => [stream, those.map((event) => readOrStop(batchEvents, event))] as const,
  )

/** Fences count upwards, one claim at a time; one that was not given back runs out, and not before its deadline. */
export const checkClaims = (events: readonly RecordedEvent[]) => {
  for (const [stream, those] of [...jobsIn(events), ...batchesIn(events)]) {
    let fence = 0
    let deadline: string | undefined
    for (const { type, data } of those) {
      if (type === 'StepClaimed') {
        expect([data.fence, deadline], stream).toEqual([fence + 1, undefined])
        fence = data.fence
        deadline = data.deadline
      } else if (type === 'ClaimReleased') deadline = undefined
      else if (type === 'ClaimExpired') {
        expect(data.at >= deadline!, `${stream} ran out before ${deadline}`).toBe(true)
        deadline = undefined
      } else if (type === 'MailFailed' && data.uncertain) expect(data.fence, stream).toBe(fence)
      else if ('fence' in data && data.fence !== undefined)
        expect([data.fence, deadline !== undefined], `${stream} ${type}`).toEqual([fence, true])
      if (endsClaim({ type, data } as Told)) deadline = undefined
    }
  }
}

interface Told {
  readonly type: string
  readonly data: { readonly fence?: number; readonly released?: boolean; readonly to?: string }
}

const endsClaim = ({ type, data }: Told): boolean =>
  type === 'BatchMoved' ||
  type === 'PayloadRead' ||
  type === 'MailSent' ||
  type === 'MailFailed' ||
  (type === 'JobMoved' && !(data.fence !== undefined && data.released !== true && isWorkState(data.to!)))

/** A failed job goes on where it failed, and one that failed for good nowhere. */
export const checkResumes = (events: readonly RecordedEvent[]) => {
  for (const [stream, those] of jobsIn(events)) {
    let failed: { readonly from: string; readonly permanent?: boolean | undefined } | undefined
    for (const { type, data } of those) {
      if (type !== 'JobMoved') continue
      if (isResume(data)) {
        expect(data.to, stream).toBe(failed?.from)
        expect(failed?.permanent, stream).not.toBe(true)
      }
      failed = data.to === 'failed' ? data : undefined
    }
  }
}

/** It is one of 100, and nothing but a step that found something out changes it. */
export const checkPriorities = (events: readonly RecordedEvent[]) => {
  for (const [stream, those] of jobsIn(events))
    for (const { type, data } of those) {
      if (type !== 'JobMoved' || data.changed?.priority === undefined) continue
      expect(data.changed.priority, stream).toBeGreaterThanOrEqual(0)
      expect(data.changed.priority, stream).toBeLessThanOrEqual(99)
      expect(data.fence, stream).toBeDefined()
      expect(['provisioning', 'processing'], stream).toContain(data.to)
    }
}

/** What is paused, or on hold, is not begun. `holds`: what each claim was asked under. */
export const checkHolds = (refusals: readonly { readonly holds: object; readonly outcome: string }[]) => {
  for (const { holds, outcome } of refusals)
    if ('all' in holds) expect(outcome).not.toBe('granted')
    else if ('collection' in holds) expect(outcome).not.toBe('granted pending')
}

/** A mail is begun once, and sent once. A report is saved with each move that ends one. */
export const checkTold = (events: readonly RecordedEvent[]) => {
  for (const [stream, those] of batchesIn(events)) {
    const mails = those.flatMap(({ type, data }) =>
      type === 'MailStarted' || type === 'MailSent' ? [`${type} ${data.mail} ${data.report ?? ''}`] : [],
    )
    expect(mails.toSorted(), stream).toEqual([...new Set(mails)].toSorted())
    const reports = those.flatMap(({ type, data }) => (type === 'ReportSaved' ? [data.report] : []))
    expect(reports, stream).toEqual(reports.map((_, i) => i + 1))
    const ends = those.filter(
      ({ type, data }) => type === 'BatchMoved' && ['I9', 'I10', 'I13', 'I14'].includes(data.cause),
    )
    expect(ends, stream).toHaveLength(reports.length)
    // No mail is due to nobody who knows of it: each names a report that there is.
    for (const { type, data } of those)
      if (type === 'MailStarted' && data.mail === 'report') expect(reports).toContain(data.report)
  }
}

/** What a batch notes of a job is newer each time, and it goes to its report with no job open. */
export const checkNotes = (events: readonly RecordedEvent[]) => {
  for (const [stream, those] of batchesIn(events)) {
    const last = new Map<number, number>()
    let batch: BatchOrNone
    for (const event of those) {
      batch = evolve(batch, event)
      const { type, data } = event
      if (type === 'BatchMoved' && data.to === 'reporting') expect(batch?.jobs?.counts.open, stream).toBe(0)
      if (type !== 'JobsNoted') continue
      for (const end of ends)
        for (const [place, revision] of data[end] ?? []) {
          expect(revision, `${stream} ${place}`).toBeGreaterThan(last.get(place) ?? -1)
          last.set(place, revision)
        }
    }
  }
}

/** Numbers of jobs are taken once for each batch, in one append, and no number is given twice. */
export const checkNumbers = (events: readonly RecordedEvent[]) => {
  for (const [stream, those] of streamsOf(categories.ids, events)) {
    let next = 1
    const takers = new Set<string>()
    for (const { data } of those) {
      const { for: taker, first, count } = data as { for: string; first: number; count: number }
      expect(first, stream).toBe(next)
      expect(takers.has(taker), `${stream} ${taker}`).toBe(false)
      takers.add(taker)
      next = first + count
    }
  }
}

/** A local id means one object for ever, and only who held it has said which. */
export const checkLocalIds = (events: readonly RecordedEvent[]) => {
  for (const [stream, those] of streamsOf(categories.localId, events)) {
    const bound = those.filter(({ type }) => type === 'LocalIdBound')
    expect(bound.length, stream).toBeLessThanOrEqual(1)
    const [last] = bound
    if (!last) continue
    const { data: claimed } = those[those.indexOf(last) - 1]!
    expect((claimed as { job: number }).job).toBe((last.data as { job: number }).job)
    // Once it is bound nobody looks for another one.
    expect(those.at(-1)).toBe(last)
  }
}
