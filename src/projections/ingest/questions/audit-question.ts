import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { plural } from '../../../domain/kernel/amounts.ts'
import { question } from '../../runtime/question.ts'
import { columns } from '../../runtime/shown.ts'
import { ingest } from '../projection.ts'
import { findings, ruleNames } from './audit.ts'
import { Finding } from './finding.ts'
import { timeColumn, toneOf } from './list-columns.ts'
import { workRoomOf } from './work-room.ts'

const AuditAnswer = t.type({ findings: t.readonlyArray(Finding) })

export const auditQuestion = question({
  name: 'audit',
  operationId: 'ingestAudit',
  summary: 'What must not be: batches, jobs, queues and claims that contradict one another. Must be empty.',
  description:
    `Rules: ${ruleNames.join(', ')}. What a rule finds is a warning for the first hour, then a failure; the command line ` +
    'then ends with code 1.',
  projection: ingest,
  history: 'views',
  input: {},
  answer: AuditAnswer,
  returns: 'Findings.',
  ask: async (views, _, { now, asOf, of }) => {
    const room = asOf === undefined ? await workRoomOf(of.ingest) : undefined
    return E.right({ findings: findings(views, now, room) })
  },
  prints: 'rows',
  rows: { row: Finding, of: (answer) => answer.findings },
  show: (answer) => [
    {
      rows: answer.findings,
      columns: [
        { key: 'severity', tone: toneOf },
        ...columns('rule', 'subject', 'says'),
        timeColumn('since', 'since'),
      ],
    },
  ],
  nothing: (answer) => (answer.findings.length === 0 ? 'all is as it must be' : undefined),
  alarm: (answer) => {
    const failures = answer.findings.filter(({ severity }) => severity === 'failure')
    return failures.length === 0
      ? undefined
      : {
          message: `${plural(failures.length, 'finding')} for more than an hour`,
          hint: '`fonds rebuild ingest --verify` says whether the views are what the log says',
        }
  },
  examples: [['audit', 'must say that all is as it must be']],
})
