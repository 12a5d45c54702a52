import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createStepReports } from '#src/workers/ingest/step-reports.ts'
import type { Report } from '#src/workers/runtime/report-on-topic.ts'

const job = { job: 12, fence: 1 }
const step = (state: 'pending' | 'estimating' | 'downloading') => ({ state, result: {} })

/** What was sent, a message in a line. */
const linesOf = (sent: readonly (readonly Report[])[]): readonly string[] =>
  sent.map((reports) =>
    reports
      .map(({ type, data }) => {
        const { steps = [], release } = data as { steps?: { state: string }[]; release?: boolean }
        return [type, ...steps.map(({ state }) => state), ...(release ? ['release'] : [])].join(' ')
      })
      .join(', '),
  )

describe('steps that are done', () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  it('are told together a moment later, and a long one is not waited for', async () => {
    const sent: (readonly Report[])[] = []
    const reports = createStepReports('c', async (told) => void sent.push(told))
    reports.done(job, step('pending'))
    reports.done(job, step('estimating'))
    expect(sent).toEqual([])
    await vi.advanceTimersByTimeAsync(100)
    expect(linesOf(sent)).toEqual(['steps.done pending estimating'])
    expect(sent[0]?.[0]).toMatchObject({ data: { ...job }, correlationId: 'c' })
    reports.done(job, step('downloading'))
    await reports.flush(true)
    expect(linesOf(sent).slice(1)).toEqual(['steps.done downloading release'])
    await vi.advanceTimersByTimeAsync(100)
    expect(sent).toHaveLength(2)
  })

  it('are told before anything else', async () => {
    const sent: (readonly Report[])[] = []
    const reports = createStepReports(undefined, async (told) => void sent.push(told))
    reports.done(job, step('pending'))
    await reports.report('step.failed', {})
    expect(linesOf(sent)).toEqual(['steps.done pending, step.failed'])
  })

  it('nothing is told behind what could not be sent', async () => {
    const send = vi.fn(async () => {
      throw new Error('no')
    })
    const reports = createStepReports(undefined, send)
    reports.done(job, step('pending'))
    await vi.advanceTimersByTimeAsync(100)
    await expect(reports.report('step.failed', {})).rejects.toThrow('no')
    expect(send).toHaveBeenCalledTimes(1)
  })
})
