import { describe, expect, it } from 'vitest'
import { movesIn, standingsOf } from '../../dashboard/src/pages/ingest/moves.ts'

const standing = (job: Parameters<typeof standingsOf>[0]) =>
  Object.fromEntries(standingsOf(job).map(({ step, standing }) => [step, standing]))

describe('the way of a job', () => {
  it('is done behind it, here where it is, and to come before it', () => {
    const steps = standing({ state: 'processing', failedIn: null, lastSuccessfulStatus: 'downloading' })
    expect(steps).toMatchObject({
      downloading: 'done',
      processing: 'here',
      storing: 'ahead',
      completed: 'ahead',
    })
  })

  it('failed in its step, with nothing done from there on', () => {
    const steps = standing({ state: 'failed', failedIn: 'downloading', lastSuccessfulStatus: 'provisioning' })
    expect(steps).toMatchObject({ provisioning: 'done', downloading: 'failed', processing: 'ahead' })
  })

  it('is done to its end of a completed job alone', () => {
    const all = standing({ state: 'completed', failedIn: null, lastSuccessfulStatus: 'notify' })
    expect(new Set(Object.values(all))).toEqual(new Set(['done']))
    const deleted = standing({ state: 'deleted', failedIn: null, lastSuccessfulStatus: 'storing' })
    expect(deleted).toMatchObject({ storing: 'done', recording: 'ahead', completed: 'ahead' })
    expect(standing({ state: 'held', failedIn: null, lastSuccessfulStatus: null })).toMatchObject({
      pending: 'here',
      estimating: 'ahead',
    })
  })
})

it('moves are told with their rule, who made them, and why', () => {
  const event = (type: string, data: object) => ({
    type,
    data,
    position: '7',
    recordedAt: '2026-01-31T12:00:00.000Z',
    metadata: { actor: 'ada' },
  })
  const moved = { from: 'downloading', to: 'failed', cause: 'I28', message: 'no such file' }
  const events = [event('StepClaimed', {}), event('JobMoved', moved)] as unknown as Parameters<
    typeof movesIn
  >[0]
  expect(movesIn(events)).toMatchObject([
    { from: 'downloading', to: 'failed', cause: 'I28', actor: 'ada', says: 'no such file' },
  ])
})
