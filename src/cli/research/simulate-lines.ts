import type { NextItems, SimulationAnswer } from '../../api/research/simulate.ts'
import type { Fates } from '../../domain/research/simulation/lease-fates.ts'
import { table } from '../output/table.ts'
import { count, duration, plural } from '../output/text.ts'
import { toTheSecond } from './ask.ts'

/** What is, beside what would be, as two small tables and sentences. */
export const simulationLines = (
  { since, settings, past, next, notes }: SimulationAnswer,
  width?: number,
): readonly string[] => [
  settings.length === 0
    ? 'These settings are in force already.'
    : `Settings: ${settings.map(({ name, present, proposed }) => `${name} ${present ?? 'none'} → ${proposed ?? 'none'}`).join(', ')}`,
  '',
  ...(past.lookedAt === 0
    ? []
    : [
        ...sideBySide(
          `${plural(past.lookedAt, 'lease')} since ${toTheSecond(since)}`,
          ['as it was', 'as it would have been'],
          pastRows,
          [past.actual, past.proposed],
          width,
        ),
        '',
      ]),
  ...sideBySide('Next', ['by these settings', 'by those'], nextRows, [next.present, next.proposed], width),
  ...itemRows(next.present, next.proposed, width),
  '',
  ...notes.map((note) => `Note: ${note}.`),
]

type Measures<A> = readonly (readonly [name: string, of: (side: A) => string])[]

const pastRows: Measures<Fates> = [
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
    ({ idleSeconds }) => (idleSeconds > 0 ? duration(idleSeconds * 1000) : '0 s'),
  ],
  ['leases that run on', ({ leases }) => count(leases.running)],
]

const nextRows: Measures<NextItems> = [
  ['pairs to be handed out', ({ pairs }) => count(pairs)],
  ['items that hold them', ({ items }) => count(items)],
  ['clips that wait for others', ({ waitingClips }) => count(waitingClips)],
  ['pairs that wait', ({ waitingPairs }) => count(waitingPairs)],
  ['wait until', ({ until }) => toTheSecond(until)],
]

/** Measures that are nothing on both sides are left out. */
const sideBySide = <A>(
  title: string,
  [left, right]: readonly [string, string],
  measures: Measures<A>,
  [one, other]: readonly [A, A],
  width: number | undefined,
): readonly string[] => {
  const rows = measures
    .map(([name, of]) => ({ name, one: of(one), other: of(other) }))
    .filter((row) => ![row.one, row.other].every((text) => ['0', '0 s', ''].includes(text)))
  return drawn(rows, [title, left, right], width)
}

const itemRows = (one: NextItems, other: NextItems, width: number | undefined): readonly string[] => {
  const most = Math.max(one.upcoming.length, other.upcoming.length)
  const told = ({ upcoming }: NextItems, place: number): string => {
    const item = upcoming[place]
    return item ? `${item.episode}: ${plural(item.clips, 'clip')}` : ''
  }
  const rows = Array.from({ length: most }, (_, i) => ({
    name: `${i + 1}.`,
    one: told(one, i),
    other: told(other, i),
  }))
  return rows.length > 0 ? ['', ...drawn(rows, ['Item', 'by these settings', 'by those'], width)] : []
}

const drawn = (
  rows: readonly { readonly name: string; readonly one: string; readonly other: string }[],
  [name, one, other]: readonly [string, string, string],
  width: number | undefined,
): readonly string[] =>
  table(
    rows,
    [
      { key: 'name', title: name },
      { key: 'one', title: one },
      { key: 'other', title: other },
    ],
    { colour: false, ...(width !== undefined && { width }) },
  )
    .trimEnd()
    .split('\n')
