import { describe, it } from 'vitest'
import type { FailClip } from '#src/domain/research/clip/commands.ts'
import type { ClipEvent } from '#src/domain/research/clip/events.ts'
import { amended, by, curate, curated, given, reason, t } from './clips.ts'

const failure = { stage: 'download', error: '404', episode: 'tbtl-1', researcher: 'r1' } as const
const fail = (minutes: number, policy = { attempts: 3, backoffSeconds: 300 }): FailClip => ({
  type: 'Fail',
  ...by(minutes),
  ...failure,
  policy,
})
const failed = (minutes: number, attempt: number, retry?: number): ClipEvent => ({
  type: 'ClipFailed',
  data: { ...failure, attempt, at: t(minutes), ...(retry !== undefined && { retryAt: t(retry) }) },
})
const retry = { type: 'Retry', ...by(30), reason } as const
const retried: ClipEvent = { type: 'Retried', data: { reason, at: t(30) } }

describe('F22: a clip that cannot be had', () => {
  it('is tried again later, ever later, and parked at the last attempt', () => {
    const [one, two] = [failed(0, 1, 5), failed(5, 2, 15)]
    given(curated(0)).when(fail(0)).gives([one])
    given(curated(0), one).when(fail(5)).gives([two])
    given(curated(0), one, two)
      .when(fail(15))
      .gives([failed(15, 3)])
    given(curated(0), one, two, failed(15, 3))
      .when(fail(16))
      .gives([failed(16, 4)])
  })

  it('X8: five researchers that meet one outage of its host have met one failure', () => {
    const one = failed(0, 1, 5)
    for (const minutes of [0, 1, 4])
      given(curated(0), one)
        .when(fail(minutes))
        .gives([failed(minutes, 1, 5)])
    given(curated(0), one, failed(4, 1, 5))
      .when(fail(5))
      .gives([failed(5, 2, 15)])
  })

  it('X8: a result shows that it can be had: the next failure is the first', () => {
    const had: ClipEvent = {
      type: 'Retried',
      data: { reason: 'a result shows that its media can be had', at: t(9) },
    }
    const recover = { type: 'Recover', ...by(9) } as const
    given(curated(0), failed(0, 1, 5))
      .when(recover)
      .gives([had])
    given(curated(0), failed(0, 1, 5), had)
      .when(fail(10))
      .gives([failed(10, 1, 15)])
    given(curated(0)).when(recover).gives([])
    given().when(recover).gives([])
  })

  it('of one attempt alone is parked at once', () => {
    given(curated(0))
      .when(fail(0, { attempts: 1, backoffSeconds: 300 }))
      .gives([failed(0, 1)])
  })

  it('F27: is a fact also where no curator has seen it', () => {
    given()
      .when(fail(0))
      .gives([failed(0, 1, 5)])
  })

  it('X8: a person has it tried again', () => {
    given(curated(0), failed(0, 1, 5))
      .when(retry)
      .gives([retried])
    given(curated(0), failed(0, 1, 5), retried)
      .when(fail(30))
      .gives([failed(30, 1, 35)])
    given(curated(0)).when(retry).gives([])
    given().when(retry).gives('never-curated')
  })

  it('X9: another address of its media is worth another attempt, another title is not', () => {
    const mediaUri = 'https://media.example/burble.mp3'
    const moved: ClipEvent = { type: 'Retried', data: { reason: 'its media has another address', at: t(9) } }
    given(curated(0), failed(0, 1, 5))
      .when(curate(9, 9, { mediaUri }))
      .gives([amended(9, { mediaUri }), moved])
    given(curated(0), failed(0, 1, 5))
      .when(curate(9, 9, { title: 'other' }))
      .gives([amended(9, { title: 'other' })])
    given(curated(0))
      .when(curate(9, 9, { mediaUri }))
      .gives([amended(9, { mediaUri })])
  })
})
