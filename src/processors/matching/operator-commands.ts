import * as t from 'io-ts'
import { annotate } from '../../domain/kernel/annotation.ts'
import { PositiveInteger } from '../../domain/kernel/codecs.ts'
import type { WorkCommand } from '../../domain/matching/commands.ts'
import { workDecider } from '../../domain/matching/decide.ts'
import { type GenerationCommand, generationsDecider } from '../../domain/matching/generations/decide.ts'
import { generationsStream } from '../../domain/matching/generations/events.ts'
import { defaultRules, Rules } from '../../domain/matching/merged/rules.ts'
import { type VerdictCommand, verdictDecider } from '../../domain/matching/verdicts/decide.ts'
import { verdictStream } from '../../domain/matching/verdicts/events.ts'
import { Source, WorkId, workStream } from '../../domain/matching/work.ts'
import { operatorCommand } from '../runtime/operator-command.ts'
import { routeTo } from '../runtime/route.ts'
import { type Resolved, resolveConfirmed, resolveUnconfirmed } from './confirming.ts'
import { whyNotReady } from './generation-readiness.ts'
import { namedWork } from './named-work.ts'
import { notUnknown } from './unknown-work.ts'

const onWork = (command: WorkCommand) => routeTo(workDecider, workStream(command.work), command)
const onVerdicts = (command: VerdictCommand) => routeTo(verdictDecider, verdictStream(command.work), command)
const onGenerations = (command: GenerationCommand) => routeTo(generationsDecider, generationsStream, command)

/**
 * Rules as operators give them, stricter than stored ones: a title cannot hold more than one value.
 */
const GivenRules = annotate(
  t.refinement(
    t.partial(Rules.props),
    ({ fields }) => fields?.title === undefined || ['target', 'first'].includes(fields.title),
    'rules with target or first for the title',
  ),
  {
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

const Unverdict = t.intersection([t.type({ work: WorkId }), t.partial({ record: t.boolean })])

/** `seen`: the version of the graph, or the number of corrections of the record, that was looked at. */
const Verdict = t.intersection([Unverdict, t.partial({ seen: PositiveInteger })])

/** Operators' commands of matching. Each needs an actor and a reason. */
export const matchingCommands = [
  operatorCommand({
    name: 'matching.resend',
    description: 'Sends the component of a work again, from the facts.',
    codec: t.type({ work: WorkId }),
    example: { work: 'h3xbcs2m' },
    route: ({ work }, by) => onWork({ type: 'Resend', work, ...by }),
    short: {
      description:
        'Every work of the graph gets its document anew, at a new version: the repair of whatever is missing or wrong ' +
        'downstream. It changes no fact.',
      arguments: ['work'],
      rejection: ({ work }) => notUnknown(work),
      done: ({ work }, views) => `the graph of ${namedWork(views, work)} was sent again`,
      examples: [
        ['resend h3xbcs2m --actor r.vermeer --reason "its page is empty"', 'makes its documents anew'],
      ],
    },
  }),
  operatorCommand({
    name: 'matching.drop-link',
    description: 'Leaves a wrong link of a work out, until its source sends a higher version of the work.',
    codec: t.type({ from: WorkId, to: WorkId }),
    example: { from: 'jz8d34qd', to: 'h3xbcs2m' },
    route: ({ from, to }, by) => onWork({ type: 'DropLink', work: from, to, ...by }),
    short: {
      description:
        'The same version sent again does not bring it back; a higher one is the word of the source again: have it ' +
        'mended there, too. `fonds matching what-if drop` shows before what would part.',
      arguments: ['from', 'to'],
      rejection: ({ from }) => notUnknown(from),
      done: ({ from, to }, views) =>
        `the link from ${namedWork(views, from)} to ${namedWork(views, to)} counts no more`,
      examples: [
        [
          'drop-link jz8d34qd h3xbcs2m --actor r.vermeer --reason "another herbal"',
          'parts what it alone held together',
        ],
      ],
    },
  }),
  operatorCommand({
    name: 'matching.restore-link',
    description: 'Puts a link back that a person dropped, as its source stated it.',
    codec: t.type({ from: WorkId, to: WorkId }),
    example: { from: 'jz8d34qd', to: 'h3xbcs2m' },
    route: ({ from, to }, by) => onWork({ type: 'RestoreLink', work: from, to, ...by }),
    short: {
      description:
        'It counts again from then on. What else the source said of the work, and other links that were dropped, stay as they are.',
      arguments: ['from', 'to'],
      rejection: ({ from }) => notUnknown(from),
      done: ({ from, to }) => `the link from ${from} to ${to} counts again`,
      examples: [
        [
          'restore-link jz8d34qd h3xbcs2m --actor r.vermeer --reason "it is the same herbal"',
          'joins what dropping it parted',
        ],
      ],
    },
  }),
  operatorCommand({
    name: 'matching.hand-over',
    description: 'Lets another source speak for a work; its versions count from the start.',
    codec: t.type({ work: WorkId, to: Source }),
    example: { work: 'h3xbcs2m', to: 'folio' },
    route: ({ work, to }, by) => onWork({ type: 'HandOver', work, to, ...by }),
    short: {
      description:
        'From then on the word of that source is taken, whatever its versions, and the word of the one before is ' +
        'refused. What is known of the work stays until it speaks.',
      arguments: ['work', 'to'],
      rejection: ({ work }) => notUnknown(work),
      done: ({ work, to }) => `${to} speaks for ${work} from now on`,
      examples: [
        [
          'hand-over h3xbcs2m folio --actor r.vermeer --reason "moved to the new library system"',
          'folio describes it now',
        ],
      ],
    },
  }),
  operatorCommand({
    name: 'matching.confirm',
    description:
      'Says that a person looked at the graph of a work, and it is right: lists of what to look at leave it out until it changes.',
    codec: Verdict,
    example: { work: 'h3xbcs2m' },
    resolve: resolveConfirmed,
    rejection: (input) => () => (input as Partial<Resolved>).refusal,
    route: (input, by) => onVerdicts({ ...(input as Resolved).command, ...by }),
    short: {
      description:
        'It counts for the graph as it is: the same records with the same titles, states, sources and links. Whatever ' +
        'changes one of these brings it back to the lists. `fonds matching confirmed` shows who looked at what, when and ' +
        'why.',
      arguments: ['work'],
      flags: {
        record: {
          description: 'the record alone: its content is right, though it changed under one version',
        },
      },
      done: ({ work, record }) =>
        record ? `the record of ${work} is confirmed` : `the graph of ${work} is confirmed as it is`,
      examples: [
        ['confirm h3xbcs2m --actor r.vermeer --reason "two volumes of one herbal"', 'the graph is right'],
        ['confirm h3xbcs2m --record --actor r.vermeer --reason "a typing error"', 'its new content is right'],
      ],
    },
  }),
  operatorCommand({
    name: 'matching.unconfirm',
    description: 'Takes back that a graph, or a record, was looked at and is right: it is listed again.',
    codec: Unverdict,
    example: { work: 'h3xbcs2m' },
    resolve: resolveUnconfirmed,
    route: ({ work, record }, by) =>
      onVerdicts({ type: record ? 'UnconfirmRecord' : 'UnconfirmGraph', work, ...by }),
    short: {
      description: 'The log keeps both: who confirmed it, and who took that back.',
      arguments: ['work'],
      flags: { record: { description: 'the verdict about the record alone' } },
      done: ({ work, record }) =>
        `the ${record ? 'record' : 'graph'} of ${work} is to be looked at again, where it stands out`,
      examples: [
        ['unconfirm h3xbcs2m --actor r.vermeer --reason "it is another herbal"', 'it is listed again'],
      ],
    },
  }),
  operatorCommand({
    name: 'matching.reindex',
    permission: 'administer',
    description:
      'Builds a new generation beside the live one, by these rules; what they leave out is the default.',
    codec: t.partial({ rules: GivenRules }),
    example: {
      rules: { precedence: ['tei', 'sierra'], neverTarget: ['mets'], fields: { subjects: 'union' } },
    } as const,
    route: ({ rules }, by) => onGenerations({ type: 'Start', rules: rulesOf(rules), ...by }),
    short: {
      description:
        'Readers keep what they have until you switch. `fonds start` builds it; with --wait this command does, or ' +
        'watches who does, then compares it with the live one.',
      arguments: [],
      flags: {
        rules: {
          description:
            'JSON: {"precedence": […], "neverTarget": […], "fields": {"subjects": "union"}}; what it leaves out is the default',
          value: 'file',
        },
      },
      done: () => 'a generation is to be built: `fonds matching generations` shows when it is ready',
      examples: [
        [
          'reindex --rules rules.json --wait --actor r.vermeer --reason "pictures first"',
          'builds it, and shows what differs',
        ],
        ['switch 2 --actor r.vermeer --reason "pictures first"', 'then gives it to readers'],
      ],
    },
  }),
  operatorCommand({
    name: 'matching.switch',
    permission: 'administer',
    description:
      'Gives readers another generation, once it is built; the one they had is kept up to date, to switch back to.',
    codec: t.intersection([
      t.type({ generation: PositiveInteger }),
      /** Switches even while a part of it is missing. */
      t.partial({ anyway: t.boolean }),
    ]),
    example: { generation: 2 },
    rejection: ({ generation, anyway }) => (anyway ? undefined : (views) => whyNotReady(generation, views)),
    route: ({ generation }, by) => onGenerations({ type: 'Switch', generation, ...by }),
    short: {
      description: 'The one that readers had is kept up to date: switching back is as quick.',
      arguments: ['generation'],
      flags: {
        anyway: {
          description: 'while a part of it is missing, too: readers miss those works until it is there',
        },
      },
      done: ({ generation }) => `readers get generation ${generation} from now on`,
      examples: [
        [
          'switch 2 --actor r.vermeer --reason "subjects of all records"',
          'readers get generation 2 from now on',
        ],
      ],
    },
  }),
  operatorCommand({
    name: 'matching.drop',
    permission: 'administer',
    description: 'Ends a generation that readers do not get: nothing is added to it any more.',
    codec: t.type({ generation: PositiveInteger }),
    example: { generation: 2 },
    route: ({ generation }, by) => onGenerations({ type: 'Drop', generation, ...by }),
    short: {
      description: 'Nothing is added to it any more, and its number is not used again.',
      arguments: ['generation'],
      done: ({ generation }) => `generation ${generation} is ended`,
      examples: [
        ['drop 1 --actor r.vermeer --reason "replaced by 2"', 'generation 1 is no longer kept up to date'],
      ],
    },
  }),
]
