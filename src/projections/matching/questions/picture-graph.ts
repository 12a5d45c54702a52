import type { Views } from '../../../domain/kernel/view.ts'
import type { ComponentAnswer, GraphAnswer } from './answers.ts'
import { bridgesFrom, pairOf } from './bridges.ts'
import { componentAnswer } from './component.ts'
import { verdictOnGraph } from './confirmed.ts'
import { alikeLeaves, type DrawnGraph, foldLeaves, unfolded } from './drawn-graph.ts'
import { stated } from './reading.ts'
import { activeNeighbours } from './why.ts'

/** Most works read for a picture, and most links searched for bridges: more would hold up all others. */
const maxRead = 5000

export interface PictureScope {
  readonly work: string
  /** Most works, and the greatest distance, if a person set them. */
  readonly most?: number | undefined
  readonly radius?: number | undefined
}

/** The answer with its bridges: the links that `why` would name. */
export const withBridges = (views: Views, answer: ComponentAnswer): DrawnGraph => {
  const { generation, graph, nodes, size } = answer
  const member = nodes.find(({ state }) => state !== 'deleted')
  if (!member || size > maxRead) return unfolded(answer)
  return unfolded(answer, bridgesFrom(member.id, activeNeighbours(views, generation, graph)))
}

/** The graph of a picture: all of the component, unless a person asked for less, with equal leaves as one. */
export const drawnGraph = (views: Views, answer: ComponentAnswer, scope: PictureScope): DrawnGraph => {
  const { work, most, radius } = scope
  const { generation, leftOut } = answer
  const isWanted = leftOut === 0 || most !== undefined || radius !== undefined
  const whole = isWanted ? undefined : componentAnswer(views, work, { generation, maxWorks: maxRead })
  const shown = whole ?? answer
  return foldLeaves(withBridges(views, shown), keptFrom(shown, work), leavesOf(views, shown))
}

/** The answer with the data that a program needs to draw it the same way. */
export const withMarks = (views: Views, answer: ComponentAnswer, work: string): GraphAnswer => {
  const { bridges } = withBridges(views, answer)
  return {
    ...answer,
    bridges: answer.links
      .filter(({ from, to, active }) => active && bridges.has(pairOf(from, to)))
      .map(({ from, to }) => ({ from, to })),
    alike: alikeLeaves(answer, keptFrom(answer, work), leavesOf(views, answer)),
    verdict: verdictOnGraph(views, answer.generation, answer.component),
  }
}

/** The work asked for, and the one that all are shown as, are drawn by themselves. */
const keptFrom = ({ target }: ComponentAnswer, work: string): ReadonlySet<string> =>
  new Set([work, ...(target === null ? [] : [target])])

const leavesOf =
  (views: Views, { leftOut }: ComponentAnswer) =>
  (id: string): boolean =>
    leftOut === 0 || stated(views, id).length === 1
