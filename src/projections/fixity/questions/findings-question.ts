import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { items, resolutions } from '../../../domain/fixity/views.ts'
import { plural } from '../../../domain/kernel/amounts.ts'
import { Text } from '../../../domain/kernel/codecs.ts'
import { is, pageOfRows, row, tally } from '../../../domain/kernel/read-views.ts'
import { addMillis, DAY } from '../../../domain/kernel/time.ts'
import { type Condition, type RowOf, ViewQueryError, type Views } from '../../../domain/kernel/view.ts'
import { limit, offset } from '../../runtime/field.ts'
import { commandLine } from '../../runtime/finder.ts'
import { namesOf, referencesNamed } from '../../runtime/people-shown.ts'
import { question } from '../../runtime/question.ts'
import { columns, wholeColumns } from '../../runtime/shown.ts'
import { fixity } from '../projection.ts'
import { openFinding } from './answers.ts'
import { BagAlone, bagsAlone } from './bags-alone.ts'
import { ParkedItem, parkedItems } from './parked-items.ts'

/** Ages of open findings, in days from and to. */
export const ages = [
  { age: 'day', from: 0, to: 1 },
  { age: 'week', from: 1, to: 7 },
  { age: 'month', from: 7, to: 30 },
  { age: 'older', from: 30, to: Number.POSITIVE_INFINITY },
] as const

/** Condition on findings opened within an age. One opened by a clock that ran ahead counts as opened just now. */
export const openedWithin = ({ from, to }: (typeof ages)[number], now: string) => [
  ...(from > 0 ? [{ column: 'openedAt', is: '<=', value: addMillis(now, -from * DAY) } as const] : []),
  ...(to < Number.POSITIVE_INFINITY
    ? [{ column: 'openedAt', is: '>', value: addMillis(now, -to * DAY) } as const]
    : []),
]

const orNull = t.union([t.string, t.null])

const Finding = t.type({
  ...openFinding,
  /** The item's state now. */
  state: orNull,
  /** The last good day: when its content was last found as recorded. */
  lastVerified: orNull,
  lastChecked: orNull,
  /** Reference of the person who is to settle it; null: nobody in particular. */
  assignee: orNull,
  /** Name or mail address of that person, as this home keeps it; null: none is kept. */
  assigneeName: orNull,
})

const findingOf = (
  views: Pick<Views, 'query'>,
  finding: RowOf<typeof resolutions>,
  names: ReadonlyMap<string, string>,
) => {
  const { store, path, resolution, class: kind, row: rule, summary, openedAt } = finding
  const item = row(views, items, is('store', store), is('path', path))
  return {
    store,
    path,
    resolution,
    class: kind,
    row: rule,
    summary,
    openedAt,
    state: item?.state ?? null,
    lastVerified: item?.lastVerified ?? null,
    lastChecked: item?.lastChecked ?? null,
    assignee: finding.assignee ?? null,
    assigneeName: names.get(finding.assignee ?? '') ?? null,
  }
}

/** A view that an older program folded has no such column. */
const assigneesOf = (
  views: Pick<Views, 'tally'>,
  where: readonly Condition<'status' | 'store' | 'path'>[],
) => {
  try {
    return tally(views, resolutions, { by: ['assignee'], where }).map(({ assignee, count }) => ({
      assignee: assignee ?? null,
      count,
    }))
  } catch (error) {
    if (error instanceof ViewQueryError) return []
    throw error
  }
}

const givenTo = async (
  assignee: string | undefined,
  asking: Parameters<typeof referencesNamed>[0],
): Promise<readonly Condition<'assignee'>[]> => {
  if (assignee === undefined) return []
  if (assignee === 'nobody') return [is('assignee', null)]
  return [{ column: 'assignee', is: 'in', value: await referencesNamed(asking, assignee) }]
}

/** Findings that somebody must resolve. */
export const findings = question({
  name: 'findings',
  summary:
    'What somebody must settle, the oldest first: its cause, and when the content was last as recorded; and what could not be checked.',
  projection: fixity,
  history: 'views',
  input: {
    store: { description: 'Of this store alone.', codec: Text, example: 'main', argument: 'store' },
    prefix: { description: 'Paths that start so.', codec: Text, example: 'letters/', value: 'path' },
    assignee: {
      description: 'Given to this person alone, by mail address or reference; `nobody`: given to nobody.',
      codec: Text,
      example: 'ada@archive.example',
      value: 'who',
    },
    offset: { ...offset, description: 'Findings to pass over; none unless said.' },
    limit,
  },
  answer: t.type({
    at: t.string,
    /** How many there are in all, by how long they are open. */
    ages: t.readonlyArray(t.type({ age: t.string, count: t.number })),
    /** How many each person has, whoever was asked for; null: nobody in particular. None while the views are rebuilt after an upgrade. */
    assignees: t.readonlyArray(t.type({ assignee: orNull, name: orNull, count: t.number })),
    findings: t.readonlyArray(Finding),
    /** Items that could not be checked, and wait for a person: first those that were not checked for the longest. */
    parked: t.readonlyArray(ParkedItem),
    /** Bags that are not valid while no finding is open about a file in them, those that are so for the longest first. */
    bags: t.readonlyArray(BagAlone),
  }),
  returns: 'The findings, and how many there are of each age.',
  schemaName: 'FixityFindings',
  ask: async (views, { store, prefix, assignee, limit, offset }, { now, people }) => {
    const ofAll: readonly Condition<'status' | 'store' | 'path'>[] = [
      is('status', 'open'),
      ...(store === undefined ? [] : [is('store', store)]),
      ...(prefix === undefined ? [] : [{ column: 'path', is: 'prefix', value: prefix } as const]),
    ]
    const open: readonly Condition<'status' | 'store' | 'path' | 'assignee'>[] = [
      ...ofAll,
      ...(await givenTo(assignee, { people })),
    ]
    const found = pageOfRows(views, resolutions, {
      where: open,
      orderBy: [{ column: 'openedAt' }],
      ...{ limit, offset },
    })
    const assignees = assigneesOf(views, ofAll)
    const names = await namesOf({ people }, [
      ...assignees.map((one) => one.assignee),
      ...found.map((one) => one.assignee ?? null),
    ])
    return E.right({
      at: now,
      ages: ages.map((one) => ({
        age: one.age,
        count:
          tally(views, resolutions, { by: [], where: [...open, ...openedWithin(one, now)] })[0]?.count ?? 0,
      })),
      assignees: assignees.map((one) => ({ ...one, name: names.get(one.assignee ?? '') ?? null })),
      findings: found.map((finding) => findingOf(views, finding, names)),
      parked: parkedItems(views, { store, prefix, limit }),
      bags: bagsAlone(views, now, { store, prefix }).slice(0, limit),
    })
  },
  rows: { row: Finding, of: ({ findings }) => findings },
  show: ({ findings }) => [
    {
      rows: findings,
      columns: [
        ...wholeColumns('store', 'path'),
        ...columns('openedAt', 'class', 'summary', 'lastVerified'),
        { key: 'assigneeName', title: 'assignee' },
      ],
    },
  ],
  nothing: ({ findings, bags }) =>
    findings.length > 0 ? undefined : bags.length > 0 ? 'no finding is open' : 'nothing is to be settled',
  remarks: ({ ages, bags }) => [
    plural(
      ages.reduce((sum, { count }) => sum + count, 0),
      'finding',
    ),
    ...bags.map(
      ({ store, bag, because }) =>
        `the bag ${store}/${bag} is not valid: ${because}; \`${commandLine('fixity bag', store, bag)}\` names what is wrong`,
    ),
  ],
  examples: [
    ['findings', 'all, the oldest first'],
    ['findings archive --prefix letters/', 'of a folder'],
    ['findings --assignee ada@archive.example', 'what one person is to settle'],
  ],
})
