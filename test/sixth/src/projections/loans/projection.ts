import * as t from 'io-ts'
import { Text, Time } from '../../domain/kernel/codecs.ts'
import { idOf } from '../../domain/kernel/event.ts'
import { rows } from '../../domain/kernel/read-views.ts'
import { category, loanEvents, loans } from '../../domain/loans/loan.ts'
import type { ViewStore } from '../../ports/view-store.ts'
import { projection } from '../runtime/projection.ts'
import { list } from '../runtime/question.ts'
import { columns } from '../runtime/shown.ts'

export const loansProjection = projection(
  { name: 'loans', version: 1, description: 'Originals in the reading room.', views: [loans] },
  (on) => [
    on(category, loanEvents, {
      ItemOrdered: ({ reader, due }, { stream }, tables) =>
        tables.loans.put({ item: idOf(stream), reader, due, slip: null }),
      SlipPrinted: ({ slip }, { stream }, tables) =>
        tables.loans.put({ ...tables.loans.get(idOf(stream))!, slip }),
      ItemReturned: (_, { stream }, tables) => tables.loans.delete(idOf(stream)),
    }),
  ],
)

export const overdueLoans = (views: Pick<ViewStore, 'query'>, now: string) =>
  rows(views, loans, { where: [{ column: 'due', is: '<=', value: now }] })

export const overdue = list({
  name: 'overdue',
  summary: 'Originals that are not back in time.',
  projection: loansProjection,
  history: 'views',
  row: t.type({ item: Text, reader: Text, due: Time }),
  ask: (views, { limit }, { now }) =>
    overdueLoans(views, now)
      .slice(0, limit)
      .map(({ item, reader, due }) => ({ item, reader, due })),
  columns: columns('item', 'reader', 'due'),
  none: 'all are back in time',
  examples: [['overdue', 'a line an original']],
})
