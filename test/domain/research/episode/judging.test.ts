import { describe, it } from 'vitest'
import type { Judge } from '#src/domain/research/episode/commands.ts'
import type { EpisodeEvent } from '#src/domain/research/episode/events.ts'
import { by, curated, given, t } from './episodes.ts'

const judge = (verdict: Judge['verdict'], offset = 5, minutes = 0): Judge => ({
  type: 'Judge',
  ...by(minutes),
  clip: 'gurgle',
  offset,
  verdict,
  reason: 'heard it',
})

const judged = (verdict: Judge['verdict'], offset = 5, minutes = 0): EpisodeEvent => ({
  type: 'FindingJudged',
  data: { clip: 'gurgle', offset, verdict, reason: 'heard it', at: t(minutes) },
})

describe('X3: a place that a person judged', () => {
  it('is kept with the verdict and why', () => {
    given(curated)
      .when(judge('confirmed'))
      .gives([judged('confirmed')])
  })

  it('the same again changes nothing, another word counts from then on', () => {
    given(curated, judged('confirmed'))
      .when(judge('confirmed', 5, 1))
      .gives([])
    given(curated, judged('confirmed'))
      .when(judge('rejected', 5, 1))
      .gives([judged('rejected', 5, 1)])
    given(curated, judged('confirmed'), judged('rejected'))
      .when(judge('confirmed', 5, 1))
      .gives([judged('confirmed', 5, 1)])
  })

  it('is one place: another one of the same clip is judged by itself', () => {
    given(curated, judged('confirmed'))
      .when(judge('confirmed', 6))
      .gives([judged('confirmed', 6)])
  })
})
