import { left, right } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { plural } from '../../domain/kernel/amounts.ts'
import { annotate } from '../../domain/kernel/annotation.ts'
import { PositiveInteger, Text } from '../../domain/kernel/codecs.ts'
import { retention, retentionStream } from '../../domain/kernel/retention.ts'
import type { ShortForm } from '../../processors/runtime/operator-command.ts'
import { routeTo } from '../../processors/runtime/route.ts'
import type { SystemCommand } from '../workflow.ts'
import type { ToRun } from './may-run.ts'
import { whyKept } from './why-kept.ts'

const Category = annotate(
  t.refinement(
    Text,
    (text) => /^[^$-][^-]{0,199}$/s.test(text),
    'category (the part of a stream’s name before the first dash)',
  ),
  {
    description:
      'The part of streams’ names before the first dash: `deadletter`, or that of another program.',
  },
)
const Days = annotate(
  t.refinement(PositiveInteger, (days) => days <= 36_500, 'whole number of days (1 to 36500)'),
  { description: 'Events are kept for so many days.' },
)

const ToSet = t.type({ category: Category, days: Days })
type ToSet = t.TypeOf<typeof ToSet>
const ToLift = t.type({ category: Category })
type ToLift = t.TypeOf<typeof ToLift>
const RunCodec = t.intersection([ToLift, t.partial({ confirmed: t.boolean })])

const short = <Input>(form: ShortForm<Input>) => form as unknown as ShortForm<unknown>

const setPolicy: SystemCommand = {
  name: 'retention.set',
  permission: 'administer',
  description:
    'Sets for how many days events of a category of streams are kept: parts of streams of other programs that are older go, and whole ' +
    'dead letters, probes and records of rebuilds that are settled. The sealer removes them daily, what is sealed alone; their ' +
    'entries in the Merkle tree stay. Categories that a view or a rule of Fonds needs are refused.',
  codec: ToSet,
  example: { category: 'deadletter', days: 365 },
  carryOut: async ({ category, days }: ToSet, { workflows }) => {
    const kept = whyKept(category, workflows)
    return kept === undefined
      ? right({ category, days })
      : left({ code: 'needed', message: `nothing of ${category} may be removed: ${kept}`, path: 'category' })
  },
  route: ({ category, days }: ToSet, by) =>
    routeTo(retention, retentionStream(category), { type: 'Set', category, days, ...by }),
  short: short<ToSet>({
    description:
      '`fonds retention list` says how much would go. Nothing goes before the next daily removal, or `retention run`.',
    arguments: ['category', 'days'],
    done: ({ category, days }) => `events of ${category}-… are kept for ${plural(days, 'day')}`,
    examples: [
      [
        'set deadletter 365 --actor ada --reason "schedule, no. 12"',
        'dead letters that were settled a year ago go',
      ],
    ],
  }),
}

const liftPolicy: SystemCommand = {
  name: 'retention.lift',
  permission: 'administer',
  description:
    'Takes the policy of a category away: from now on all of its events stay. What was removed is not brought back.',
  codec: ToLift,
  example: { category: 'deadletter' },
  route: ({ category }: ToLift, by) =>
    routeTo(retention, retentionStream(category), { type: 'Lift', category, ...by }),
  short: short<ToLift>({
    description: 'What was removed is not brought back.',
    arguments: ['category'],
    done: ({ category }) => `events of ${category}-… stay`,
    examples: [['lift deadletter --actor ada --reason "a lawsuit"', 'nothing more of them is removed']],
  }),
}

/** The sealer carries it out, for it knows what is sealed. */
const runPolicy: SystemCommand = {
  name: 'retention.run',
  permission: 'administer',
  description:
    'Has a policy applied at once, and not with the next daily removal. Without confirmed=true it says how much would go. The sealer ' +
    'names the events in the log first, and removes them when that is sealed, some twenty seconds later.',
  codec: RunCodec,
  example: { category: 'deadletter', confirmed: true },
  doneBefore: async (cause, context) => (await import('./may-run.ts')).requestedBy(cause, context),
  carryOut: async (input: ToRun, context) => (await import('./may-run.ts')).mayRun(input, context),
  route: ({ category }: ToLift, by) =>
    routeTo(retention, retentionStream(category), { type: 'Request', category, ...by }),
  short: short<ToRun>({
    description: 'Nothing brings back what went.',
    arguments: ['category'],
    flags: { confirmed: { description: 'it is wanted; without it the command says how much would go' } },
    done: () => 'the sealer removes it within a minute; `fonds retention list` shows when it is done',
    examples: [['run deadletter --actor ada --reason "before the audit"', 'how much would go']],
  }),
}

export const retentionCommands: readonly SystemCommand[] = [setPolicy, liftPolicy, runPolicy]
