import { expect, it } from 'vitest'
import { differencesQuestion } from '#src/projections/fixity/questions/differences-question.ts'

const store = {
  ...{ store: 'archive', comparedAt: null, new: 0, missing: 0, moved: 0, changed: 0 },
  ...{ unlisted: 0, takenIn: 0, requested: 0 },
}

const shown = (newFiles: string | null): readonly unknown[] =>
  differencesQuestion.show(
    { at: '2026-01-31T12:00:00.000Z', stores: [{ ...store, newFiles }], first: [] },
    {} as never,
  )

it('a store that was not compared yet is named with what has it compared', () => {
  expect(shown(null)).toEqual([
    'archive was not compared yet: `fonds do fixity.change-policy` with newFiles=ask or newFiles=take-in has it compared',
  ])
  expect(shown('ask')).toEqual([
    'archive was not compared yet; `fonds start` does it, at once and then every so many hours (`compareHours` of its policy)',
  ])
})
