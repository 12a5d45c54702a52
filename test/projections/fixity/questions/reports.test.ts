import { isRight } from 'fp-ts/lib/Either.js'
import { expect, it } from 'vitest'
import { reportsQuestion } from '#src/projections/fixity/questions/reports-question.ts'
import type { Asking } from '#src/projections/runtime/question.ts'
import { peopleOf } from '../../../fakes/people.ts'
import { fixityViews } from '../views.ts'

it('the reports that were mailed name people as this home keeps them, and by reference whom it does not keep', async () => {
  const views = fixityViews()
  const period = { since: '2026-03-01T00:00:00.000Z', until: '2026-03-02T00:00:00.000Z' }
  views.foldReports([
    {
      type: 'ReportSent',
      data: {
        ...{ schedule: 'daily to=person#1', ...period, at: period.until },
        ...{ subject: 'all is well', isWell: true },
        ...{ to: ['person#1', 'person#2', 'person#gone'], refused: ['mailto:old@archive.example'] },
      },
    },
  ])
  const people = await peopleOf(
    { reference: 'person#1', mail: 'boss@archive.example' },
    { reference: 'person#2', mail: 'ada@archive.example', name: 'Ada' },
  )
  const answered = await reportsQuestion.ask(views.viewStore, { limit: 10, offset: 0 }, {
    people,
  } as Asking)
  expect(isRight(answered) && answered.right).toMatchObject({
    total: 1,
    reports: [
      {
        to: ['person#1', 'person#2', 'person#gone'],
        toNames: ['boss@archive.example', 'Ada', 'person#gone'],
        refused: ['mailto:old@archive.example'],
        refusedNames: ['old@archive.example'],
      },
    ],
  })
})
