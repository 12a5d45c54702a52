import { expect, test } from 'vitest'
import { createViewSeals } from '#src/app/proof/views/daily-seals.ts'
import type { System } from '#src/app/system.ts'
import { DAY, MINUTE } from '#src/domain/kernel/time.ts'
import { contentTopic, lines, recorded, useFonds } from '../../cli/fonds.ts'

const fonds = useFonds()
const take = (...all: readonly string[]) =>
  fonds.run(['produce', contentTopic, '--wait'], { stdin: lines(...all) })
const sealed = async () =>
  (await fonds.run(['events', '--type', 'ViewSealed'])).rows.map(
    ({ data }) => data as { view: string; rows: number },
  )
const { signal } = new AbortController()

/** The system with a clock of the test's own, which begins where the real one is. */
const withClock = (system: System, proofViews: string) => {
  const begun = Date.now()
  let millis = 0
  const clock = {
    ...system.clock,
    now: () => new Date(begun + millis).toISOString(),
    monotonic: () => millis,
  }
  const pass = (more: number) => {
    millis += more
  }
  const { viewStore, eventStore, execute } = system
  return {
    pass,
    daily: createViewSeals({
      viewStore,
      eventStore,
      execute,
      config: { ...system.config, proofViews },
      clock,
    }),
  }
}

test('Q31: once a day, each view that has other rows', async () => {
  await take(recorded('a', 1))
  await fonds.run(['query', 'fixity-items'])
  await fonds.withSystem(async (system) => {
    const { daily, pass } = withClock(system, 'all')
    await daily.state(signal)
    const first = await sealed()
    expect(first.map(({ view }) => view).sort()).toEqual(
      system.viewStore
        .views()
        .map(({ name }) => name)
        .sort(),
    )
    expect(first).toContainEqual(expect.objectContaining({ view: 'fixity-items', rows: 1 }))
    await take(recorded('b', 2))
    pass(10 * MINUTE)
    await daily.state(signal)
    expect(await sealed()).toHaveLength(first.length)
    pass(DAY)
    await daily.state(signal)
    const second = (await sealed()).slice(first.length)
    expect(second).toContainEqual(expect.objectContaining({ view: 'fixity-items', rows: 2 }))
    expect(second.length).toBeLessThan(first.length)
  })
})

test('only those that are set', async () => {
  await take(recorded('a', 1))
  await fonds.run(['query', 'fixity-items'])
  for (const [views, expected] of [
    ['none', []],
    ['fixity-items, fixity-stores', ['fixity-items', 'fixity-stores']],
  ] as const)
    await fonds.withSystem(async (system) => {
      const { daily } = withClock(system, views)
      await daily.state(signal)
      expect((await sealed()).map(({ view }) => view).sort()).toEqual(expected)
    })
})
