import { count, duration, plural } from '../../../domain/kernel/amounts.ts'
import { SECOND } from '../../../domain/kernel/time.ts'
import { type Block, toTheSecond } from '../../runtime/shown.ts'
import type { Fates, NextItems, SimulationAnswer } from './simulation-answer.ts'

/** The present beside the proposal, as tables and sentences. */
export const simulationBlocks = ({
  since,
  settings,
  past,
  next,
  notes,
}: SimulationAnswer): readonly Block[] => [
  settings.length === 0
    ? 'These settings are in force already.'
    : `Settings: ${settings.map(({ name, present, proposed }) => `${name} ${present ?? 'none'} → ${proposed ?? 'none'}`).join(', ')}`,
  '',
  ...(past.lookedAt === 0
    ? []
    : [
        sideBySide(
          [
            `${plural(past.lookedAt, 'lease')} since ${toTheSecond(since)}`,
            'as it was',
            'as it would have been',
          ],
          measured(pastMeasures, past.actual, past.proposed),
        ),
        '',
      ]),
  sideBySide(['Next', 'by these settings', 'by those'], measured(nextMeasures, next.present, next.proposed)),
  ...itemBlocks(next.present, next.proposed),
  '',
  ...notes.map((note) => `Note: ${note}.`),
]

type Measures<A> = readonly (readonly [name: string, of: (side: A) => string])[]

const pastMeasures: Measures<Fates> = [
  ['items taken in time', ({ items }) => count(items.taken)],
  ['items that lapsed untaken', ({ items }) => count(items.lapsed)],
  ['items that wait, or were taken back', ({ items }) => count(items.open)],
  ['items of which nobody knows', ({ items }) => count(items.unknown)],
  ['leases that ended in time', ({ leases }) => count(leases.ended)],
  ['leases that ran out while work went on', ({ leases }) => count(leases.cutShort)],
  ['reports that came too late', ({ lateReports }) => count(lateReports)],
  ['leases that ran out, abandoned', ({ leases }) => count(leases.abandoned)],
  [
    'pairs idle under these, in sum',
    ({ idleSeconds }) => (idleSeconds > 0 ? duration(idleSeconds * SECOND) : '0 s'),
  ],
  ['leases that run on', ({ leases }) => count(leases.running)],
]

const nextMeasures: Measures<NextItems> = [
  ['pairs to be handed out', ({ pairs }) => count(pairs)],
  ['items that hold them', ({ items }) => count(items)],
  ['clips that wait for others', ({ waitingClips }) => count(waitingClips)],
  ['pairs that wait', ({ waitingPairs }) => count(waitingPairs)],
  ['wait until', ({ until }) => toTheSecond(until)],
]

interface Line {
  readonly name: string
  readonly one: string
  readonly other: string
}

/** Without measures that are zero on both sides. */
const measured = <A>(measures: Measures<A>, one: A, other: A): readonly Line[] =>
  measures
    .map(([name, of]) => ({ name, one: of(one), other: of(other) }))
    .filter((line) => ![line.one, line.other].every((text) => ['0', '0 s', ''].includes(text)))

const itemBlocks = (one: NextItems, other: NextItems): readonly Block[] => {
  const length = Math.max(one.upcoming.length, other.upcoming.length)
  const lines = Array.from({ length }, (_, i) => ({
    name: `${i + 1}.`,
    one: itemIn(one, i),
    other: itemIn(other, i),
  }))
  return length > 0 ? ['', sideBySide(['Item', 'by these settings', 'by those'], lines)] : []
}

const itemIn = ({ upcoming }: NextItems, place: number): string => {
  const item = upcoming[place]
  return item ? `${item.episode}: ${plural(item.clips, 'clip')}` : ''
}

const sideBySide = ([name, one, other]: readonly [string, string, string], rows: readonly Line[]): Block => ({
  rows,
  columns: [
    { key: 'name', title: name },
    { key: 'one', title: one },
    { key: 'other', title: other },
  ],
})
