import { describe, expect, it } from 'vitest'
import { columnsOf } from '#src/app/question-columns.ts'
import { workflows } from '#src/workflows/all.ts'
import { allQuestions } from '#src/workflows/questions.ts'

const questions = (await Promise.all(workflows.map(({ questions }) => allQuestions(questions)))).flat()
const withRows = questions.flatMap(({ name, rows }) => (rows?.row ? [[name, rows] as const] : []))

describe('the columns of a CSV', () => {
  it.each(withRows)('of %s stand there without a row, too', (_, rows) => {
    expect(columnsOf(rows, []).length).toBeGreaterThan(1)
  })

  it('of rows are the fields of them all', () => {
    const [, rows] = withRows[0]!
    expect(columnsOf(rows, [{ id: 1 }, { id: 2, note: 'x' }])).toEqual(['id', 'note'])
  })

  it('of a report without a store are those that it has with one', () => {
    const rows = questions.find(({ name }) => name === 'report')?.rows
    expect(columnsOf(rows!, []).join()).toBe(
      'store,prefix,expected,verified,baselined,accepted,unread,lost,suspect,failed,unverified,unchecked,late,parked,bytes,awaySince',
    )
  })
})
