import * as t from 'io-ts'
import { annotate } from '../../domain/kernel/annotation.ts'
import { PositiveInteger } from '../../domain/kernel/codecs.ts'
import type { WorkCommand } from '../../domain/matching/commands.ts'
import { workDecider } from '../../domain/matching/decide.ts'
import { type GenerationCommand, generationsDecider } from '../../domain/matching/generations/decide.ts'
import { generationsStream } from '../../domain/matching/generations/events.ts'
import { defaultRules, Rules } from '../../domain/matching/merged/rules.ts'
import { Source, WorkId, workStream } from '../../domain/matching/work.ts'
import { operatorCommand } from '../runtime/operator-command.ts'
import { planFor } from '../runtime/plan.ts'
import { unbuilt } from './unbuilt.ts'

const onWork = (command: WorkCommand) => planFor(workDecider, workStream(command.work), command)
const onGenerations = (command: GenerationCommand) => planFor(generationsDecider, generationsStream, command)

/**
 * Rules as a person gives them. Stricter than what is stored: a name with a slip in it would be a whole index made by
 * the default, and a title cannot hold more than one.
 */
const GivenRules = annotate(
  t.refinement(
    t.partial(Rules.props),
    (rules) =>
      Object.keys(rules).every((name) => Object.hasOwn(Rules.props, name)) &&
      (rules.fields?.title === undefined || ['target', 'first'].includes(rules.fields.title)),
    'rules of precedence, neverTarget, fields and otherFields alone, with target or first for the title',
  ),
  {
    additionalProperties: false,
    allOf: [
      {
        type: 'object',
        properties: {
          fields: { type: 'object', properties: { title: { enum: ['target', 'first'] } } },
        },
      },
    ],
  },
)

const rulesOf = (given: Partial<Rules> = {}): Rules => ({
  precedence: given.precedence ?? defaultRules.precedence,
  neverTarget: given.neverTarget ?? defaultRules.neverTarget,
  fields: given.fields ?? defaultRules.fields,
  otherFields: given.otherFields ?? defaultRules.otherFields,
})

/** What a person may ask of matching. Each needs an actor and a reason. */
export const matchingCommands = [
  operatorCommand({
    name: 'matching.resend',
    description: 'Sends the component of a work again, from the facts.',
    codec: t.type({ work: WorkId }),
    example: { work: 'h3xbcs2m' },
    plan: ({ work }, by) => onWork({ type: 'Resend', work, ...by }),
  }),
  operatorCommand({
    name: 'matching.hand-over',
    description: 'Lets another source speak for a work; its versions count from the start.',
    codec: t.type({ work: WorkId, to: Source }),
    example: { work: 'h3xbcs2m', to: 'folio' },
    plan: ({ work, to }, by) => onWork({ type: 'HandOver', work, to, ...by }),
  }),
  operatorCommand({
    name: 'matching.reindex',
    description:
      'Builds a new generation beside the live one, by these rules; what they leave out is the default.',
    codec: t.partial({ rules: GivenRules }),
    example: {
      rules: { precedence: ['tei', 'sierra'], neverTarget: ['mets'], fields: { subjects: 'union' } },
    } as const,
    plan: ({ rules }, by) => onGenerations({ type: 'Start', rules: rulesOf(rules), ...by }),
  }),
  operatorCommand({
    name: 'matching.switch',
    description:
      'Gives readers another generation, once it is built; the one they had is kept up to date, to switch back to.',
    codec: t.intersection([
      t.type({ generation: PositiveInteger }),
      /** Also while a part of it is missing. */
      t.partial({ anyway: t.boolean }),
    ]),
    example: { generation: 2 },
    objection: ({ generation, anyway }) => (anyway ? undefined : (views) => unbuilt(generation, views)),
    plan: ({ generation }, by) => onGenerations({ type: 'Switch', generation, ...by }),
  }),
  operatorCommand({
    name: 'matching.drop',
    description: 'Ends a generation that readers do not get: nothing is added to it any more.',
    codec: t.type({ generation: PositiveInteger }),
    example: { generation: 2 },
    plan: ({ generation }, by) => onGenerations({ type: 'Drop', generation, ...by }),
  }),
]
