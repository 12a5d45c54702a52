import type { Views } from '../../../domain/kernel/view.ts'
import type { ComponentAnswer } from './answers.ts'
import { bridgesFrom } from './bridges.ts'
import { componentAnswer } from './component.ts'
import { type DrawnGraph, foldLeaves, unfolded } from './drawn-graph.ts'
import { stated } from './reading.ts'
import { activeNeighbours } from './why.ts'

/** Works that are read for a picture, and links looked through for bridges: more would hold up all others. */
const maxRead = 5000

export interface PictureScope {
  readonly work: string
  /** Most works, and how far away, where a person said so. */
  readonly most?: number | undefined
  readonly radius?: number | undefined
}

/** The answer with its bridges: links that `why` would name. */
export const withBridges = (views: Views, answer: ComponentAnswer): DrawnGraph => {
  const { generation, graph, nodes, size } = answer
  const member = nodes.find(({ state }) => state !== 'deleted')
  if (!member || size > maxRead) return unfolded(answer)
  return unfolded(answer, bridgesFrom(member.id, activeNeighbours(views, generation, graph)))
}

/** What a picture shows: all of the component, unless a person asked for less, with equal leaves as one. */
export const drawnGraph = (views: Views, answer: ComponentAnswer, scope: PictureScope): DrawnGraph => {
  const { work, most, radius } = scope
  const { generation, leftOut, target } = answer
  const isWanted = leftOut === 0 || most !== undefined || radius !== undefined
  const whole = isWanted ? undefined : componentAnswer(views, work, { generation, maxWorks: maxRead })
  const shown = whole ?? answer
  const kept = new Set([work, ...(target === null ? [] : [target])])
  const isLeaf = (id: string) => shown.leftOut === 0 || stated(views, id).length === 1
  return foldLeaves(withBridges(views, shown), kept, isLeaf)
}
