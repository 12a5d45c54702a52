import { describe, expect, it } from 'vitest'
import { countRows, is, isSet, row, rows, rowsIfFolded, tally } from '#src/domain/kernel/read-views.ts'
import {
  integer,
  json,
  text,
  type ViewQuery,
  ViewQueryError,
  type ViewShape,
  type Views,
} from '#src/domain/kernel/view.ts'

const loans = {
  name: 'loans',
  description: 'Who has which book.',
  key: ['book'],
  columns: {
    book: 'text',
    reader: 'text',
    state: text<'out' | 'back'>(),
    days: integer(),
    notes: json<readonly string[]>(),
  },
} as const satisfies ViewShape

const stored = [{ book: 'Ulysses', reader: null, state: 'back', days: 3, notes: ['torn'] }]

/** Keeps what it was asked. */
const library = (answer: () => readonly Record<string, unknown>[] = () => stored) => {
  const asked: [string, unknown][] = []
  const take = (view: string, question: unknown) => {
    asked.push([view, question])
    return answer()
  }
  return { asked, query: take, tally: take } satisfies Views & { asked: unknown }
}

describe('reading views', () => {
  it('asks for rows by the name of their shape', () => {
    const views = library()
    const query = {
      where: [is('state', 'back'), isSet('reader')],
      orderBy: [{ column: 'days', descending: true }],
      limit: 2,
    } as const satisfies ViewQuery
    expect(rows(views, loans, query)).toEqual(stored)
    expect(row(views, loans, is('book', 'Ulysses'))?.notes).toEqual(['torn'])
    expect(views.asked).toEqual([
      ['loans', query],
      ['loans', { where: [{ column: 'book', is: '=', value: 'Ulysses' }], limit: 1 }],
    ])
  })

  it('counts and adds up', () => {
    const sums = library(() => [{ state: 'back', count: 1, days: 3 }])
    const [first] = tally(sums, loans, { by: ['state'], sum: ['days'] })
    expect(first && first.count + first.days).toBe(4)
    expect(countRows(sums, loans, is('state', 'back'))).toBe(1)
    expect(
      countRows(
        library(() => []),
        loans,
      ),
    ).toBe(0)
  })

  it('finds nothing in a view that was not folded, where nothing is an answer', () => {
    const without = library(() => {
      throw new ViewQueryError('there is no view loans')
    })
    expect(rowsIfFolded(without, loans)).toEqual([])
    expect(() => rows(without, loans)).toThrow(ViewQueryError)
    const broken = library(() => {
      throw new Error('disk full')
    })
    expect(() => rowsIfFolded(broken, loans)).toThrow('disk full')
  })

  it('does not compile where a column has another name', () => {
    const views = library()
    // @ts-expect-error: there is no such column
    rows(views, loans, { where: [is('borrower', 'Bloom')] })
    // @ts-expect-error
    rows(views, loans, { where: [{ column: 'borrower', is: '=', value: 'Bloom' }] })
    // @ts-expect-error
    rows(views, loans, { orderBy: [{ column: 'since' }] })
    // @ts-expect-error
    row(views, loans, isSet('borrower'))
    // @ts-expect-error
    rows(views, loans)[0]?.borrower
    // @ts-expect-error
    tally(views, loans, { by: ['borrower'] })
    // @ts-expect-error
    tally(views, loans, { by: [], sum: ['hours'] })
    // @ts-expect-error: not what is counted by
    tally(views, loans, { by: ['state'] })[0]?.reader
    // @ts-expect-error
    countRows(views, loans, is('borrower', 'Bloom'))
  })

  it('knows what is in a column', () => {
    const { reader, state, days, notes } = row(library(), loans) ?? {}
    const known: readonly [string | null | undefined, 'out' | 'back' | undefined, number | undefined] = [
      reader,
      state,
      days,
    ]
    expect(known).toEqual([null, 'back', 3])
    expect(notes?.[0]?.toUpperCase()).toBe('TORN')
    // @ts-expect-error: a column that is named by its type alone may be null
    const name: string | undefined = reader
    expect(name).toBeNull()
  })
})
