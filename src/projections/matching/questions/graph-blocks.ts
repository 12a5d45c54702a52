import { count, plural } from '../../../domain/kernel/amounts.ts'
import { type Block, type Column, toTheSecond } from '../../runtime/shown.ts'
import type { GraphAnswer, LinkLine, WorkNode } from './answers.ts'
import { withTitle } from './titles.ts'

/** A component as sentences and two tables. */
export const graphBlocks = (answer: GraphAnswer): readonly Block[] => [
  ...sentences(answer),
  '',
  { rows: answer.nodes.map(nodeRow), columns: nodeColumns },
  ...(answer.links.length > 0 ? ['', { rows: answer.links.map(linkRow), columns: linkColumns }] : []),
]

const sentences = ({ nodes, size, changedAt, target, bridge, leftOut, verdict, generation }: GraphAnswer) => {
  const titles = new Map(nodes.map(({ id, title }) => [id, title]))
  const nameOf = (id: string) => withTitle(id, titles.get(id))
  return [
    `${plural(size, 'work')}, last changed ${changedAt}, in generation ${generation}; ` +
      (target !== null ? `shown as ${nameOf(target)}` : size === 1 ? 'not shown' : 'none of them is shown'),
    ...(bridge
      ? [
          `held together by one link: without ${nameOf(bridge.from)} — ${nameOf(bridge.to)}, ${plural(bridge.side, 'work')} would part`,
        ]
      : []),
    ...(verdict
      ? [
          `${verdict.actor} looked at it on ${toTheSecond(verdict.at)} and confirmed it: ${verdict.reason}` +
            (verdict.stands ? '' : '; it has changed since, so that counts no more'),
        ]
      : []),
    ...(leftOut > 0
      ? [
          `${count(leftOut)} more are not listed: --most <n> gives more, and a picture shows those that are alike as one`,
        ]
      : []),
  ]
}

const nodeRow = (node: WorkNode) => ({ ...node, document: node.document ?? '' })

const nodeColumns: readonly Column[] = [
  { key: 'id', title: 'work', leaveOut: 'middle' },
  { key: 'title' },
  { key: 'source' },
  {
    key: 'state',
    tone: (state) => (state === 'deleted' || state === 'placeholder' ? 'quiet' : undefined),
  },
  { key: 'document', tone: (document) => (document === 'merged' ? 'good' : undefined) },
  { key: 'redirectsTo', title: 'redirects to', leaveOut: 'middle' },
]

const linkRow = ({ from, to, reasons, active, statedAt }: LinkLine) => ({
  from,
  to,
  reasons: reasons.join(', '),
  since: statedAt,
  note: active ? '' : 'not counted: an end is deleted',
})

const linkColumns: readonly Column[] = [
  { key: 'from', title: 'link from', leaveOut: 'middle' },
  { key: 'to', leaveOut: 'middle' },
  { key: 'reasons' },
  { key: 'since', show: toTheSecond },
  { key: 'note', title: ' ', tone: () => 'quiet' },
]
