import { plural } from '../../domain/kernel/amounts.ts'
import { countRows, is, isSet, row } from '../../domain/kernel/read-views.ts'
import { clips, episodes, failures, policy } from '../../domain/research/views.ts'
import { type Cause, counted } from '../cause.ts'
import type { WorkflowContext } from '../workflow-context.ts'

type Known = Pick<WorkflowContext, 'viewStore'>

export const researchCauses = (context: Known): readonly Cause[] => [
  ...parkedResearch(context),
  ...paused(context),
]

const parkedResearch = ({ viewStore }: Known): readonly Cause[] =>
  counted(
    viewStore.shape(failures.name)
      ? countRows(viewStore, failures, isSet('parkedAt')) +
          countRows(viewStore, episodes, isSet('parkedAt'), is('withdrawnAt', null)) +
          countRows(viewStore, clips, isSet('parkedAt'), is('withdrawnAt', null))
      : 0,
    (count) => ({
      key: 'parked/research',
      says: `${plural(count, 'pair or medium', 'pairs and media')} of research ${count === 1 ? 'is' : 'are'} parked`,
      todo: '`fonds research parked` names causes and commands',
    }),
  )

const paused = ({ viewStore }: Known): readonly Cause[] => {
  const { pausedAt, pausedReason } = (viewStore.shape(policy.name) ? row(viewStore, policy) : undefined) ?? {}
  return typeof pausedAt === 'string'
    ? [
        {
          key: 'paused/research',
          says: `research is paused since ${pausedAt}: ${pausedReason ?? ''}`,
          todo: '`fonds do research.resume` resumes it',
          weight: 1,
        },
      ]
    : []
}
