import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isLeft } from 'fp-ts/lib/Either.js'
import { v7 as uuid } from 'uuid'
import { expect, it } from 'vitest'
import type { System } from '../../src/app/system.ts'
import { events as eventSet, type FixityEvent } from '../../src/domain/fixity/events.ts'
import { itemStream } from '../../src/domain/fixity/item.ts'
import { expectedStates, itemStates, lateMeans, parts } from '../../src/domain/fixity/item-states.ts'
import { history, observe, recorded, start } from '../domain/fixity/commands.ts'
import { sha256 } from '../domain/fixity/witnesses.ts'
import { until } from '../fakes/clock.ts'
import { startServer } from './server.ts'

const page = (name: string) => readFileSync(join(import.meta.dirname, '../..', name), 'utf8')

/** Minutes, as `t` counts them. */
const now = Math.floor((Date.now() - Date.parse(start)) / 60_000) - 10
const longAgo = now - 400 * 24 * 60

const parked: FixityEvent = {
  type: 'CheckParked',
  data: { run: 2, error: 'no route to host', at: new Date(Date.parse(start) + now * 60_000).toISOString() },
}
const removed: FixityEvent = {
  type: 'ContentRemoved',
  data: { at: parked.data.at, dueAt: parked.data.at },
}
const verified = history([recorded('A', now)], observe('AAAA', now))
const failed = history([recorded('A', now)], observe('BAAA', now))

/** A life for each state, and more than one where it could be mistaken for another. */
const lives: Readonly<Record<string, readonly FixityEvent[]>> = {
  verified,
  late: history([recorded('A', longAgo)], observe('AAAA', longAgo)),
  failed,
  baselined: history(
    [
      {
        type: 'ContentRecorded',
        data: {
          checksums: [{ ...sha256('A'), basis: 'first-reading' }],
          recordedFrom: 'first reading',
          at: parked.data.at,
          dueAt: parked.data.at,
        },
      },
    ],
    observe('A?AA', now, {
      audit: undefined,
      index: { status: 'recorded', checksums: [sha256('A')] },
    }),
  ),
  suspect: history([recorded('A', now)], observe('--AA', now)),
  'suspect, was verified': history([...verified], observe('--AA', now + 1)),
  unverified: history([recorded('A', now)], observe('?AAA', now)),
  unchecked: [recorded('A', now)],
  'parked, never checked': [recorded('A', now), parked],
  'parked, was verified': [...verified, parked],
  'parked, had failed': [...failed, parked],
  'revived, was verified': [
    ...verified,
    parked,
    { type: 'CheckRevived', data: { reason: 'mended', dueAt: parked.data.at } },
  ],
  'withdrawn, was verified': [...verified, removed],
  'withdrawn, had failed': [...failed, removed],
  'withdrawn, parked': [...verified, removed, parked],
  unrecorded: [{ type: 'IndexRecorded', data: { checksums: [], at: parked.data.at } }],
}

const write = async ({ eventStore }: System) => {
  for (const [path, some] of Object.entries(lives)) {
    const stored = some.map(({ type, data }) => ({
      id: uuid(),
      type,
      data,
      metadata: { actor: 'ada', causationId: 'c', correlationId: 'c', schema: eventSet.schemaOf(type) },
    }))
    const appended = await eventStore.append(itemStream({ store: 'main', path }), 'none', stored)()
    if (isLeft(appended)) throw new Error(JSON.stringify(appended.left))
  }
}

it('report, view and README speak of the same items', async () => {
  const { get, system } = await startServer({ roles: ['projections'] })
  await write(system)
  await until(() => system.viewStore.query('fixity-items', {}).length === Object.keys(lives).length)
  const pathsOf = async (query: string) =>
    ((await get(query)).body.rows as { path: string }[]).map(({ path }) => path).sort()
  const inState = (state: string) => pathsOf(`/api/v1/views/fixity-items?where=state=${state}`)
  const report = (await get('/api/v1/reports/fixity', { accept: 'application/json' })).body
  const { counts } = report.stores[0]

  expect(await inState('verified')).toEqual(['late', 'revived, was verified', 'verified'])
  expect(await inState('parked')).toEqual([
    'parked, had failed',
    'parked, never checked',
    'parked, was verified',
  ])
  expect(await inState('withdrawn')).toEqual([
    'withdrawn, had failed',
    'withdrawn, parked',
    'withdrawn, was verified',
  ])
  const late = await pathsOf(
    `/api/v1/views/fixity-items?where=state=verified&where=${encodeURIComponent(`lateAfter<${report.at}`)}`,
  )
  expect(late).toEqual(['late'])
  for (const state of expectedStates) {
    const found = await inState(state)
    expect(counts[state] + (state === 'verified' ? counts.late : 0), state).toBe(found.length)
  }
  expect(parts.reduce((sum, part) => sum + counts[part], 0)).toBe(counts.expected)
  expect(counts.late).toBe(1)

  const [, example] = /curl localhost:7070(\/\S*fixity-items\S*)/.exec(page('README.md')) ?? []
  expect(await pathsOf(example!)).toEqual(['failed'])
  const failures = report.failures as { path: string; state: string }[]
  expect(failures.filter(({ state }) => state === 'failed').map(({ path }) => path)).toEqual(['failed'])
  expect(failures.map(({ path }) => path).some((path) => path.startsWith('withdrawn'))).toBe(false)
})

it('docs/fixity.md says what each state means, as the program does', () => {
  const rows = [...page('docs/fixity.md').matchAll(/^\| `(\w+)` \| (yes|no) \| (.*) \|$/gm)].map(
    ([, state, expected, means]) => ({ state, expected: expected === 'yes', means }),
  )
  expect(rows).toEqual([
    ...Object.entries(itemStates).map(([state, meaning]) => ({ state, ...meaning })),
    { state: 'late', expected: true, means: lateMeans },
  ])
  expect(new Set(parts)).toEqual(new Set([...expectedStates, 'late']))
})
