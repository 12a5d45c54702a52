import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { annotate } from '../../../domain/kernel/annotation.ts'
import { explain } from '../../../domain/kernel/codecs.ts'
import { sinceOf } from '../../../domain/kernel/since.ts'
import { jsonText } from '../../../domain/kernel/text-codecs.ts'
import { PolicyChanges, settings } from '../../../domain/research/policy/changes.ts'
import { type Field, whole } from '../../runtime/field.ts'
import { type Question, question } from '../../runtime/question.ts'
import { research } from '../projection.ts'
import type { AskScheduler } from './ask-scheduler.ts'
import { leasesSince, readLeaseFacts } from './lease-facts.ts'
import { maxLeases, proposedPolicy, simulationAnswer } from './simulate.ts'
import { SimulationAnswer } from './simulation-answer.ts'
import { simulationBlocks } from './simulation-blocks.ts'

const Since = annotate(
  t.refinement(
    t.string,
    (text) => sinceOf(text, new Date(0).toISOString()) !== undefined,
    'period (7d, 12h, 30min) or time with a zone',
  ),
  { examples: ['7d', '2026-01-31T12:00:00Z'] },
)

const setting = (codec: t.Mixed): Field => ({
  description: 'The setting, if it were this.',
  codec: jsonText(codec),
  argument: 'settings',
  pair: true,
})

const names = Object.keys(settings) as readonly (keyof typeof settings)[]
const settingFields = Object.fromEntries(names.map((name) => [name, setting(settings[name])]))

/** X14: the effect of other settings. Nothing is written. */
export const simulateQuestion = (askScheduler: AskScheduler): Question =>
  question({
    name: 'simulate',
    operationId: 'simulateResearchPolicy',
    summary:
      'What other settings would have meant for the leases of late, and what would be handed out next.',
    description:
      'Takes the settings that `research.set-policy` takes; what is not said stays as it is, `null` takes one away. Nothing is changed.',
    projection: research,
    input: {
      ...settingFields,
      since: {
        description:
          'Leases granted since: a time with a zone, or a period that ends now (7d, 12h, 30min). 7d unless said.',
        codec: t.string,
        http: Since,
        default: '7d',
        value: 'when',
      },
      count: { ...whole(1, 1000), description: 'So many of the next items; 5 unless said.', default: 5 },
    },
    answer: SimulationAnswer,
    returns: '`actual` and `present` beside `proposed`; `notes` are for people.',
    rejections: {
      incomplete: { status: 400, description: 'No setting is named.' },
      'invalid-period': { status: 400, description: '`since` is neither a period nor a time with a zone.' },
      'unfit-policy': {
        status: 409,
        description: 'The settings do not work together: `detail` says why.',
      },
    },
    ask: async (views, { since: period, count, ...changed }, asking) => {
      const changes = PolicyChanges.decode(changed)
      if (E.isLeft(changes)) return E.left({ code: 'incomplete', message: explain(changes.left) })
      const { now: at, eventStore, signal } = asking
      const since = sinceOf(period, at)
      if (since === undefined)
        return E.left({
          code: 'invalid-period',
          message: `${JSON.stringify(period)} is neither a period (7d, 12h, 30min) nor a time with a zone`,
          path: 'since',
        })
      const policy = await askScheduler(asking, (scheduler) => proposedPolicy(scheduler, changes.right, at))
      if (E.isLeft(policy)) return E.left({ code: 'unfit-policy', message: policy.left.message })
      const { granted, latest } = leasesSince(views, since, maxLeases)
      const leases = await readLeaseFacts(eventStore, latest, signal)
      return E.right(
        await askScheduler(asking, (scheduler) =>
          simulationAnswer(scheduler, policy.right, { granted, leases }, { at, since, max: count }),
        ),
      )
    },
    show: simulationBlocks,
    examples: [
      ['simulate leaseSeconds=3600 itemSeconds=1800', 'how many leases of the last week would have run out'],
      ['simulate maxClips=50 --since 30d', 'what would be handed out next, in smaller items'],
    ],
  })
