import { plural } from '../../domain/kernel/amounts.ts'
import { countRows, is } from '../../domain/kernel/read-views.ts'
import { category, loanEvents, loanStream, loans, ordersTopic, slipsTopic } from '../../domain/loans/loan.ts'
import { loansProcessor, returnItem } from '../../processors/loans/processor.ts'
import { loansProjection, overdue, overdueLoans } from '../../projections/loans/projection.ts'
import { counted } from '../cause.ts'
import { copyFolder } from '../copy-files.ts'
import { ok, warn } from '../finding.ts'
import { emptyWorkflow, type Workflow } from '../workflow.ts'
import type { LoansConfig } from './settings.ts'

/** Loans, from their topics to their view. */
export const loansWorkflow: Workflow<LoansConfig> = {
  ...emptyWorkflow,
  name: 'loans',
  description: 'Lends originals to the reading room.',
  topics: [ordersTopic, slipsTopic],
  eventSets: [{ category, events: loanEvents }],
  projections: [loansProjection],
  streamsOf: (item) => [loanStream(item)],
  questions: { overdue: async () => overdue },
  commands: [returnItem],
  workers: [
    {
      kind: 'printer',
      description: 'prints a slip for each loan',
      start: async (context, options) =>
        (await import('../../workers/loans/printer.ts')).startPrinter(context, options),
    },
  ],
  processors: ({ config, clock }) => [loansProcessor(() => config.loansDays, clock)],
  attention: async ({ viewStore, clock }) =>
    counted(viewStore.shape(loans.name) ? overdueLoans(viewStore, clock.now()).length : 0, (count) => ({
      key: 'overdue/loans',
      says: `${plural(count, 'original')} ${count === 1 ? 'is' : 'are'} overdue`,
      todo: '`fonds loans overdue` says who has them',
    })),
  checks: async ({ viewStore }) => {
    const waiting = viewStore.shape(loans.name) ? countRows(viewStore, loans, is('slip', null)) : 0
    return [
      waiting === 0
        ? ok('slips', 'each loan has its slip')
        : warn('slips', `${plural(waiting, 'loan')} without a slip`, '`fonds worker printer` prints them'),
    ]
  },
  folders: ({ loansFolder }) => [loansFolder],
  kept: ({ loansFolder: from }) => [
    { name: 'slips', from, label: 'slips', copied: 'after', copy: copyFolder },
  ],
}
