import type { ComponentAnswer } from '../../projections/matching/answers.ts'
import type { Output } from '../output/output.ts'
import { type Column, table } from '../output/table.ts'
import { count, plural, visible } from '../output/text.ts'
import { toTheSecond } from './ask.ts'

/** A component as two tables and what is to be said of it. */
export const graphTable = (answer: ComponentAnswer, output: Output): string => {
  const width = output.width()
  const options = { colour: output.colour, ...(width !== undefined && { width }) }
  const parts = [
    `${sentences(answer).map(visible).join('\n')}\n`,
    table(answer.nodes.map(nodeRow), nodeColumns, options),
    ...(answer.links.length > 0 ? [table(answer.links.map(linkRow), linkColumns, options)] : []),
  ]
  return parts.join('\n')
}

const sentences = ({ size, changedAt, target, bridge, leftOut, generation }: ComponentAnswer) => [
  `${plural(size, 'work')}, last changed ${changedAt}, in generation ${generation}; ` +
    (target !== null ? `shown as ${target}` : size === 1 ? 'not shown' : 'none of them is shown'),
  ...(bridge
    ? [
        `held together by one link: without ${bridge.from} — ${bridge.to}, ${plural(bridge.side, 'work')} would part`,
      ]
    : []),
  ...(leftOut > 0 ? [`${count(leftOut)} more are not listed: --most <n> gives more`] : []),
]

const nodeRow = (node: ComponentAnswer['nodes'][number]) => ({ ...node, document: node.document ?? '' })

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

const linkRow = ({ from, to, reasons, active, statedAt }: ComponentAnswer['links'][number]) => ({
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
