import { countIfFolded, is } from '../domain/kernel/read-views.ts'
import { ViewQueryError } from '../domain/kernel/view.ts'
import { letters } from '../domain/kernel/views.ts'
import {
  type DayOfWork,
  daysOfWork,
  isCounted,
  type Mark,
  type Moment,
  type Run,
  runsOf,
} from '../projections/kernel/questions/activity.ts'
import type { Overview, UnderWay } from '../workflows/overview.ts'
import type { Workflow } from '../workflows/workflow.ts'
import type { System } from './system.ts'

/** The work of a workflow, of late and now. */
interface Lane {
  readonly workflow: string
  /** A thing of its work, and several. */
  readonly counts: readonly [one: string, many: string]
  /** False: its work is not counted yet, and `runs`, `marks` and `days` tell nothing. */
  readonly isCounted: boolean
  readonly runs: readonly Run[]
  readonly marks: readonly Mark[]
  readonly days: readonly DayOfWork[]
  /** Null as of the past, and while its views are being folded. */
  readonly underWay: readonly UnderWay[] | null
}

interface LanesAsked {
  readonly since: string
  readonly days: number
  readonly moment: Moment
}

/** Lanes of all workflows with an overview, in their order. */
export const lanesOf = async (system: System, asked: LanesAsked): Promise<readonly Lane[]> => {
  const lanes: Lane[] = []
  for (const workflow of system.workflows)
    if (workflow.overview) lanes.push(await laneOf(system, workflow, workflow.overview.counts, asked))
  return lanes
}

const laneOf = async (
  system: System,
  workflow: Workflow,
  counts: Lane['counts'],
  { since, days, moment }: LanesAsked,
): Promise<Lane> => ({
  workflow: workflow.name,
  counts,
  isCounted: isCounted(system.viewStore, workflow.name),
  ...runsOf(system.viewStore, workflow.name, since, moment),
  days: daysOfWork(system.viewStore, workflow.name, days, moment),
  underWay: moment.isPast ? null : ((await overviewOf(system, workflow))?.underWay ?? null),
})

interface Needs {
  /** Messages that could not be used. */
  readonly messages: number | null
  readonly needs: readonly {
    readonly workflow: string
    readonly needs: number | null
  }[]
}

/** How much waits for a person; null while views are being folded. */
export const needsOf = async (system: System): Promise<Needs> => {
  const needs: Needs['needs'][number][] = []
  for (const workflow of system.workflows)
    if (workflow.overview)
      needs.push({ workflow: workflow.name, needs: (await overviewOf(system, workflow))?.needs ?? null })
  return { messages: countIfFolded(system.viewStore, letters, is('status', 'waiting')) ?? null, needs }
}

/** Undefined if its views are not folded, or of an earlier program. */
const overviewOf = async (system: System, { overview }: Workflow): Promise<Overview | undefined> => {
  try {
    return await overview?.ask(system)
  } catch (error) {
    if (error instanceof ViewQueryError) return undefined
    throw error
  }
}
