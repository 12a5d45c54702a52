import { integer, text, type ViewShape } from '../kernel/view.ts'

export const verdicts = {
  name: 'matching-verdicts',
  description:
    'What persons looked at and found right: who, when, why. A verdict about a graph counts while its content is the same.',
  key: ['work', 'what'],
  columns: {
    /** The smallest work of the graph, or the record. */
    work: 'text',
    what: text<'graph' | 'record'>(),
    /** `content`, `size`: the graph as it was looked at; null for a record. */
    content: 'text',
    size: 'integer',
    /** Corrections of the record that were confirmed; null for a graph. */
    corrections: 'integer',
    actor: text(),
    reason: text(),
    at: text(),
    /** Position of the event, for the newest first. */
    position: integer(),
  },
  indexes: [['position']],
  history: {},
} as const satisfies ViewShape
