import { describe, expect, it } from 'vitest'
import { addMillis, DAY } from '#src/domain/kernel/time.ts'
import { expiredClaims } from '#src/processors/fixity/expired-claims.ts'
import { runTicker } from '#src/processors/runtime/ticker.ts'
import { content, type FixityWorld, fixityWorld, record } from './world.ts'

const item = content('a')
const claimMillis = 60_000
const expired = (world: FixityWorld) => expiredClaims({ ...world, claimMillis })
const claim = (world: FixityWorld, millis = claimMillis) =>
  world.on(item, {
    type: 'Claim',
    holder: 'w',
    deadline: addMillis(world.clock.now(), millis),
    millis,
  } as never)
const extend = (world: FixityWorld) =>
  world.on(item, {
    type: 'ExtendClaim',
    fence: 1,
    deadline: addMillis(world.clock.now(), claimMillis),
  } as never)
const tickerIn = async (world: FixityWorld) => {
  const ticker = runTicker([expired(world)], world)
  return async () => {
    await world.fold()
    await ticker.tick()
  }
}

it('a claim that ran out is written down once, however often the ticker looks at an old view', async () => {
  const world = fixityWorld()
  const ticker = runTicker([expired(world)], world)
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
  expect(await expired(world).passed(world.clock.now())).toEqual([])
})

describe('a claim until tomorrow, of a clock that ran ahead', () => {
  const until = async (world: FixityWorld, millis = claimMillis) => {
    world.clock.putForth(DAY)
    await world.on(item, record())
    await claim(world, millis)
    await world.fold()
  }
  const types = (world: FixityWorld) => world.typesOf(item)

  it('is watched, and has passed when no word came for as long as it holds: the item is free today', async () => {
    const world = fixityWorld()
    await until(world)
    world.clock.putForth(-DAY)
    const tick = await tickerIn(world)
    await tick()
    await world.clock.advance(59_000)
    await tick()
    expect(await types(world)).toEqual(['ContentRecorded', 'CheckClaimed'])
    await world.clock.advance(6_000)
    await tick()
    expect((await types(world)).slice(2)).toEqual(['ClaimExpired', 'AttemptFailed'])
    await world.fold()
    expect(world.row(item)?.available).toBe(world.row(item)?.due)
    expect((world.row(item)?.available as string) <= world.clock.now()).toBe(true)
  })

  it('is its holder’s as long as that is heard of, ahead or put right', async () => {
    const world = fixityWorld()
    await until(world)
    const tick = await tickerIn(world)
    for (let i = 0; i < 8; i++) {
      if (i === 4) world.clock.putForth(-DAY)
      await world.clock.advance(30_000)
      await extend(world)
      await tick()
    }
    expect(new Set((await types(world)).slice(2))).toEqual(new Set(['ClaimExtended']))
  })

  it('holds as long as it says, though claims here are shorter', async () => {
    const world = fixityWorld()
    await until(world, 300_000)
    world.clock.putForth(-DAY)
    const tick = await tickerIn(world)
    await tick()
    await world.clock.advance(295_000)
    await tick()
    expect(await types(world)).toHaveLength(2)
    await world.clock.advance(10_000)
    await tick()
    expect(await types(world)).toHaveLength(4)
  })
})
