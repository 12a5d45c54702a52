import { describe, expect, it } from 'vitest'
import type { JobCommand } from '#src/domain/ingest/job/commands.ts'
import { by, givenJob, jobIn, moves } from './samples.ts'

describe('another inventory', () => {
  const says = (version: number): JobCommand => ({
    type: 'CompleteStep',
    state: 'recording',
    changes: {},
    version,
    ...by(4),
  })
  it('I31, I32: moves a job that is recording, of the version that was stored', () => {
    const { events, state } = givenJob(...jobIn('recording')).when(says(1))
    expect(moves(events)).toEqual(['recording → notify I31'])
    expect(state?.claims.lease).toBeUndefined()
    givenJob(...jobIn('recording'))
      .when(says(2))
      .gives('version-conflict')
    givenJob(...jobIn('storing'))
      .when(says(1))
      .gives('not-allowed')
    const no: JobCommand = {
      type: 'FailStep',
      state: 'recording',
      message: 'owner unknown',
      version: 1,
      ...by(4),
    }
    expect(moves(givenJob(...jobIn('recording')).when(no).events)).toEqual(['recording → failed I32'])
  })
  it('may move nothing else', () => {
    const step: JobCommand = { type: 'CompleteStep', state: 'notify', changes: {}, ...by(4) }
    givenJob(...jobIn('notify'))
      .when(step)
      .gives('not-allowed')
  })
})
