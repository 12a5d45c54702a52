import fc from 'fast-check'
import { isLeft } from 'fp-ts/lib/Either.js'
import { expect, it } from 'vitest'
import { decider } from '#src/domain/indexing/decide.ts'
import { fileStream } from '#src/domain/indexing/file.ts'
import { files } from '#src/domain/indexing/views.ts'
import { tally } from '#src/domain/kernel/read-views.ts'
import { countLines } from '#src/projections/indexing/questions/file-lines.ts'
import { failure, success } from '../../domain/indexing/commands.ts'
import { indexingWorld, named } from '../../processors/indexing/world.ts'
import { runs } from '../../runs.ts'

const name = 'a.warc'
const later = '2027-01-01T00:00:00.000Z'

const steps = (world: ReturnType<typeof indexingWorld>) => {
  const { policy } = world
  let fence = 0
  const claim = async () => {
    const claimed = await world.on(named(name), {
      type: 'Claim',
      holder: 'w',
      deadline: later,
      millis: 1,
      policy,
    })
    if (claimed.kind === 'done') fence++
  }
  const report = (outcome: object) => world.on(named(name), { type: 'Report', fence, outcome, policy })
  return {
    claim,
    report,
    do: (type: string) => world.on(named(name), { type, reason: 'a person' }),
    wait: () => world.clock.advance(policy.retryMillis),
  }
}

it('W7, W8 the row of a file through its life', async () => {
  const world = indexingWorld()
  const life = steps(world)
  const row = async () => {
    await world.fold()
    return world.row(name)
  }
  await world.sight(name, 60)
  const { discoveredAt } = (await row())!
  expect(world.row(name)).toMatchObject({
    state: 'new',
    kind: 'content',
    queued: 1,
    date: '2026-01-31T11:00:00.000Z',
    unpublishedSince: discoveredAt,
    lines: null,
    location: '/srv/a.warc',
  })
  await life.claim()
  expect(await row()).toMatchObject({ state: 'indexing', holder: 'w', heldUntil: later, queued: 0, fence: 1 })
  await life.report(failure)
  expect(await row()).toMatchObject({
    state: 'failed',
    failures: 1,
    code: 'truncated',
    because: failure.reason,
    offset: 90,
    holder: null,
    unpublishedSince: discoveredAt,
  })
  await life.wait()
  await life.claim()
  await life.report({ ...success, warnings: ['odd'] })
  expect(await row()).toMatchObject({
    state: 'indexed',
    failures: 0,
    lines: 7,
    code: null,
    because: null,
    offset: null,
    unpublishedSince: null,
    warnings: ['odd'],
    queued: 0,
    due: null,
    indexedAt: world.clock.now(),
  })
  await world.clock.advance(60_000)
  await world.sight(name, 10)
  expect(await row()).toMatchObject({ state: 'changed', discoveredAt, queued: 1, lines: 7 })
  expect(world.row(name)?.unpublishedSince).toBe(
    (await world.eventsOf(fileStream(named(name)))).at(-1)?.recordedAt,
  )
  await life.do('Park')
  expect(await row()).toMatchObject({ state: 'parked', because: 'a person', queued: 0 })
  await life.do('Rescue')
  expect(await row()).toMatchObject({ state: 'changed', because: null, queued: 1 })
  await life.do('Withdraw')
  expect(await row()).toMatchObject({
    state: 'withdrawn',
    lines: null,
    indexedAt: null,
    unpublishedSince: null,
    discoveredAt,
  })
})

it('a conflict is shown until a reset', async () => {
  const world = indexingWorld()
  const life = steps(world)
  await world.sight(name)
  await life.claim()
  await life.report(success)
  await world.sight(name, 60, { place: { location: '/mnt/a.warc' } })
  await world.clock.advance(world.policy.graceMillis)
  await world.fold()
  expect(world.row(name)).toMatchObject({ state: 'indexed', queued: 1, conflict: 0 })
  await life.claim()
  await world.fold()
  expect(world.row(name)).toMatchObject({ state: 'indexed', holder: 'w' })
  await life.report({ status: 'compared', verdict: 'different', because: 'other bytes' })
  await world.fold()
  expect(world.row(name)).toMatchObject({
    state: 'indexed',
    conflict: 1,
    queued: 0,
    because: 'other bytes',
    lines: 7,
  })
  await life.do('Reset')
  await world.fold()
  expect(world.row(name)).toMatchObject({ state: 'changed', conflict: 0, because: null })
})

it('what a row was folded from is what decisions are made from, and counts are what the rows add up to', async () => {
  const step = fc.constantFrom(
    'sight',
    'grow',
    'claim',
    'index',
    'fail',
    'wait',
    'Park',
    'Rescue',
    'Reset',
    'Withdraw',
  )
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 20 }), async (names) => {
      const world = indexingWorld()
      const life = steps(world)
      const act: Record<string, () => Promise<unknown>> = {
        sight: () => world.sight(name),
        grow: () => world.sight(name, 5),
        claim: life.claim,
        index: () => life.report(success),
        fail: () => life.report(failure),
        wait: life.wait,
      }
      for (const one of names) {
        await (act[one] ?? (() => life.do(one)))()
        await world.fold()
      }
      const loaded = await world.states.load(decider, fileStream(named(name)))
      if (isLeft(loaded)) expect.fail(JSON.stringify(loaded.left))
      if (!loaded.right.state.known) return
      expect(world.row(name)?.folded).toEqual(JSON.parse(JSON.stringify(loaded.right.state)))
      const added = tally(world.viewStore, files, {
        by: ['repository', 'state', 'kind'],
        sum: ['lines', 'size', 'salvaged', 'lostBytes'],
      }).map(({ count, size, ...rest }) => ({ ...rest, files: count, bytes: size }))
      expect(countLines(world.viewStore)).toEqual(added)
    }),
    { numRuns: runs(30) },
  )
})
