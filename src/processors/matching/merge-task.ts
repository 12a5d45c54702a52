import type { Generations } from '../../domain/matching/generations/state.ts'
import type { GraphChanged, Member } from '../../domain/matching/graph/events.ts'
import type { Rules } from '../../domain/matching/merged/rules.ts'
import type { GraphChangedMessage } from '../../domain/matching/messages.ts'
import { noSuchChange, notInTheLog, verifiedGroup } from './verified-group.ts'

/** The task of a message: documents of these works, made from the whole component. */
export interface MergeTask {
  /** Names the component as it is at this version, whichever of its pieces the message holds. */
  readonly key: string
  readonly generation: number
  readonly version: number
  readonly component: string
  readonly rules: Rules
  /** The change behind the message, and its revision in the graph stream. */
  readonly change: GraphChanged
  readonly revision: number
  readonly inPieces: boolean
  /** Works of the whole component. */
  readonly size: number
  /** Those that the message holds: all of the component, unless it is in pieces. */
  readonly members: readonly Member[]
  /** Ids of the works that this message writes. */
  readonly works: readonly string[]
}

/** Undefined if nothing is to be written: the generation was dropped. Throws `InvalidMessageError`. */
export const mergeTaskOf = (
  message: GraphChangedMessage,
  change: GraphChanged | undefined,
  { active, last }: Generations,
): MergeTask | undefined => {
  const { generation, version, component, revision } = message
  const rules = active.get(generation)
  if (!rules && generation <= last) return undefined
  if (!rules) throw notInTheLog(`generation ${generation} was never started`, 'generation')
  if (!change) throw noSuchChange(message)
  const { members, pieces } = verifiedGroup(message, change)
  return {
    key: `${generation}/${version}/${component}`,
    generation,
    version,
    component,
    rules,
    change,
    revision,
    inPieces: pieces > 1,
    size: message.size,
    members,
    works: members.map(([work]) => work),
  }
}

/** Leaves out documents that a later message of the same batch writes again. */
export const withoutOutdated = (
  tasks: readonly (MergeTask | undefined)[],
): readonly (MergeTask | undefined)[] => {
  const later = new Map<string, number>()
  const needed = tasks.toReversed().map((task) => {
    if (!task) return undefined
    const { generation, version } = task
    const keyOf = (work: string) => `${generation}/${work}`
    const works = task.works.filter((work) => (later.get(keyOf(work)) ?? 0) < version)
    for (const work of works) later.set(keyOf(work), version)
    return works.length > 0 ? { ...task, works } : undefined
  })
  return needed.toReversed()
}
