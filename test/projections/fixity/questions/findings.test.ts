import { isRight } from 'fp-ts/lib/Either.js'
import { expect, it } from 'vitest'
import type { FixityEvent } from '#src/domain/fixity/events.ts'
import { DAY, MINUTE } from '#src/domain/kernel/time.ts'
import { findings } from '#src/projections/fixity/questions/findings-question.ts'
import type { Asking } from '#src/projections/runtime/question.ts'
import { history, item, observe, recorded, t } from '../../../domain/fixity/commands.ts'
import { peopleOf } from '../../../fakes/people.ts'
import { fixityViews } from '../views.ts'

const perDay = DAY / MINUTE

it('open findings come the oldest first, with the last good day, counted by age; settled ones do not', async () => {
  const views = fixityViews()
  const good = history([recorded()], observe('AAAA', 1))
  const bad = history(good, observe('BAAA', 2))
  const resolution = `main/${item.path}#2`
  const settled = history(bad, {
    type: 'CloseResolution',
    item,
    actor: 'ada',
    at: t(9),
    resolution,
    how: 'lost',
    reason: 'no copy is left',
  })
  views.fold(history([recorded()], observe('BAAA', 10 * perDay)), { ...item, path: 'late' })
  views.fold(bad, { ...item, path: 'early' })
  views.fold(settled, { ...item, path: 'settled' })
  const answered = await findings.ask(views.viewStore, { limit: 10 }, {
    now: t(12 * perDay),
    people: await peopleOf(),
  } as Asking)
  expect(isRight(answered) && answered.right).toMatchObject({
    ages: [
      { age: 'day', count: 0 },
      { age: 'week', count: 1 },
      { age: 'month', count: 1 },
      { age: 'older', count: 0 },
    ],
    findings: [
      { path: 'early', row: 'F2', state: 'failed', openedAt: t(2), lastVerified: t(1) },
      { path: 'late', state: 'failed', lastVerified: null },
    ],
  })
})

it('findings are listed by the person to whom they are given, and counted for each', async () => {
  const views = fixityViews()
  const bad = history([recorded()], observe('BAAA', 1))
  const given = (to: string | undefined) =>
    history(bad, {
      type: 'AssignResolution',
      item,
      actor: 'ada',
      at: t(9),
      resolution: `main/${item.path}#1`,
      to,
      reason: 'it is her collection',
    })
  views.fold(given('person#ada'), { ...item, path: 'a' })
  views.fold(given('mailto:ben@archive.example'), { ...item, path: 'b' })
  const people = await peopleOf({ reference: 'person#ada', name: 'Ada Brandt', mail: 'ada@archive.example' })
  views.fold(bad, { ...item, path: 'c' })
  const ask = async (assignee?: string) => {
    const input = { limit: 10, ...(assignee !== undefined && { assignee }) }
    const answered = await findings.ask(views.viewStore, input, { now: t(30), people } as Asking)
    if (!isRight(answered)) throw new Error('refused')
    const { findings: found, assignees, ages } = answered.right
    const open = ages.reduce((sum: number, { count }: { count: number }) => sum + count, 0)
    const names = found.map((one: { assigneeName: string | null }) => one.assigneeName)
    return { paths: found.map(({ path }: { path: string }) => path), assignees, open, names }
  }
  const assignees = [
    { assignee: null, name: null, count: 1 },
    { assignee: 'person#ada', name: 'Ada Brandt', count: 1 },
    { assignee: 'mailto:ben@archive.example', name: 'ben@archive.example', count: 1 },
  ]
  expect((await ask()).paths).toEqual(['a', 'b', 'c'])
  for (const ada of ['ada@archive.example', 'person#ada'])
    expect(await ask(ada)).toMatchObject({ paths: ['a'], open: 1, names: ['Ada Brandt'] })
  expect((await ask('nobody')).paths).toEqual(['c'])
  const { assignees: counted } = await ask('ben@archive.example')
  expect(counted).toHaveLength(3)
  expect(counted).toEqual(expect.arrayContaining(assignees))
})

it('any finding is gone to, and the others are passed over', async () => {
  const views = fixityViews()
  for (const [i, path] of ['c', 'b', 'a'].entries())
    views.fold(history([recorded()], observe('BAAA', i + 1)), { ...item, path })
  const pathsFrom = async (offset: number) => {
    const answered = await findings.ask(views.viewStore, { limit: 2, offset }, {
      now: t(30),
      people: await peopleOf(),
    } as Asking)
    return isRight(answered) && answered.right.findings.map(({ path }: { path: string }) => path)
  }
  expect([await pathsFrom(0), await pathsFrom(1), await pathsFrom(2), await pathsFrom(3)]).toEqual([
    ['c', 'b'],
    ['b', 'a'],
    ['a'],
    [],
  ])
})

it('what could not be checked waits for a person: what was not checked for the longest comes first', async () => {
  const views = fixityViews()
  const parked = (minutes: number): readonly FixityEvent[] => [
    { type: 'CheckParked', data: { run: 2, error: 'the disk hangs', at: t(minutes) } },
  ]
  views.fold(history([recorded()], observe('AAAA', 5)), { ...item, path: 'late' })
  views.fold(parked(20), { ...item, path: 'late' })
  views.fold(history([recorded()], observe('AAAA', 1)), { ...item, path: 'early' })
  views.fold(parked(21), { ...item, path: 'early' })
  views.fold(history([recorded()], observe('AAAA', 1)), { ...item, path: 'well' })
  const ask = async (input: { readonly limit: number; readonly prefix?: string }) => {
    const answered = await findings.ask(views.viewStore, input, {
      now: t(30),
      people: await peopleOf(),
    } as Asking)
    return isRight(answered) ? answered.right.parked : undefined
  }
  expect(await ask({ limit: 10 })).toMatchObject([
    { path: 'early', lastChecked: t(1), because: 'the disk hangs' },
    { path: 'late', lastChecked: t(5) },
  ])
  expect(await ask({ limit: 1 })).toMatchObject([{ path: 'early' }])
  expect(await ask({ limit: 10, prefix: 'la' })).toMatchObject([{ path: 'late' }])
})
