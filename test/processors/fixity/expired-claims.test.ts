import { expect, it } from 'vitest'
import { expiredClaims } from '#src/processors/fixity/expired-claims.ts'
import { runTicker } from '#src/processors/runtime/ticker.ts'
import { content, type FixityWorld, fixityWorld, record } from './world.ts'

const item = content('a')
const claim = (world: FixityWorld) =>
  world.on(item, {
    type: 'Claim',
    holder: 'w',
    deadline: new Date(Date.parse(world.clock.now()) + 60_000).toISOString(),
  } as never)
const tickerIn = async (world: FixityWorld) => {
  const ticker = runTicker([expiredClaims(world.viewStore)], world)
  return async () => {
    await world.fold()
    await ticker.tick()
  }
}

it('a claim that ran out is written down once, however often the ticker looks at an old view', async () => {
  const world = fixityWorld()
  const ticker = runTicker([expiredClaims(world.viewStore)], world)
  await world.on(item, record())
  await claim(world)
  await world.fold()
  await ticker.tick()
  expect(await world.typesOf(item)).toEqual(['ContentRecorded', 'CheckClaimed'])
  await world.clock.advance(60_000)
  await ticker.tick()
  await ticker.tick()
  expect(await world.typesOf(item)).toEqual([
    'ContentRecorded',
    'CheckClaimed',
    'ClaimExpired',
    'AttemptFailed',
  ])
  await ticker.stop()
})

it('the third expiry parks the item', async () => {
  const world = fixityWorld()
  const tick = await tickerIn(world)
  await world.on(item, record())
  for (let i = 0; i < 3; i++) {
    await claim(world)
    await world.clock.advance(60_000)
    await tick()
  }
  expect((await world.typesOf(item)).slice(-3)).toEqual(['ClaimExpired', 'AttemptFailed', 'CheckParked'])
  await tick()
  expect(world.row(item)).toMatchObject({ parked: 1, available: null })
})

it('before the views were ever folded there is nothing to write', async () => {
  const world = fixityWorld()
  expect(await expiredClaims(world.viewStore).passed(world.clock.now())).toEqual([])
})
