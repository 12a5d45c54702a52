import { expect, it } from 'vitest'
import { addMillis, DAY, MINUTE } from '#src/domain/kernel/time.ts'
import { expiredClaims } from '#src/processors/indexing/expired-claims.ts'
import { runTicker } from '#src/processors/runtime/ticker.ts'
import { type IndexingWorld, indexingWorld, named } from './world.ts'

const claimMillis = MINUTE
const claim = (world: IndexingWorld) =>
  world.on(named('a.warc'), {
    type: 'Claim',
    holder: 'w',
    deadline: addMillis(world.clock.now(), claimMillis),
    millis: claimMillis,
    policy: world.policy,
  })
const tickerIn = (world: IndexingWorld) => {
  const ticker = runTicker([expiredClaims({ ...world, claimMillis })], world)
  return async () => {
    await world.fold()
    await ticker.tick()
  }
}

it('a claim that ran out is written down once, and the third parks the file', async () => {
  const world = indexingWorld()
  const tick = tickerIn(world)
  await tick()
  await world.sight('a.warc')
  for (let i = 0; i < 3; i++) {
    await claim(world)
    await tick()
    await world.clock.advance(claimMillis)
    await tick()
    await tick()
    await world.clock.advance(world.policy.retryMillis)
  }
  const once = ['FileClaimed', 'ClaimExpired', 'IndexingFailed']
  expect(await world.typesOf('a.warc')).toEqual(['FileDiscovered', ...once, ...once, ...once, 'FileParked'])
  await world.fold()
  expect(world.row('a.warc')).toMatchObject({
    state: 'parked',
    failures: 3,
    code: 'silent',
    queued: 0,
    heldUntil: null,
  })
})

it('a claim of a clock that ran ahead expires when its holder was silent for as long as it holds', async () => {
  const world = indexingWorld()
  await world.sight('a.warc')
  world.clock.putForth(DAY)
  await claim(world)
  world.clock.putForth(-DAY)
  const tick = tickerIn(world)
  await tick()
  await world.clock.advance(claimMillis - 1)
  await tick()
  expect(await world.typesOf('a.warc')).toEqual(['FileDiscovered', 'FileClaimed'])
  await world.clock.advance(1)
  await tick()
  expect(await world.typesOf('a.warc')).toEqual([
    'FileDiscovered',
    'FileClaimed',
    'ClaimExpired',
    'IndexingFailed',
  ])
})
