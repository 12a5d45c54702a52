import { describe, expect, it } from 'vitest'
import { orThrow } from '#src/async/unavailable.ts'
import { policiesOfLog } from '#src/projections/retention/policies.ts'
import { testSystem } from './archive.ts'
import { give, inLog, revisions, tree } from './proof/give-policies.ts'
import { foreignEvent, inUse, retentionRounds, setDaysLater } from './proof/retention-rounds.ts'

/* Q20: what stays, though a policy was to remove it, or might seem to. */

describe('a removal that was named, and not carried out', () => {
  const named = async () => {
    const system = await testSystem()
    for (const days of [90, 80, 3]) await foreignEvent(system.eventStore, 'sensor-a', days)
    await give(system, 'sensor', 'Set')
    await give(system, 'sensor', 'Request')
    const round = retentionRounds(system, tree())
    await round()
    const [policy] = await policiesOfLog(system.eventStore)
    expect(policy).toMatchObject({ state: { named: { events: 2 } } })
    return { system, round }
  }

  it('ends where the policy is lifted: all of it stays, and goes by a later policy', async () => {
    const { system, round } = await named()
    await give(system, 'sensor', 'Lift')
    await round()
    await round()
    expect(await revisions(system, 'sensor-a')).toEqual([0, 1, 2])
    expect(await policiesOfLog(system.eventStore)).toMatchObject([
      { removed: 0, state: { named: undefined, isWanted: false, doneTo: undefined } },
    ])
    await give(system, 'sensor', 'Set')
    await give(system, 'sensor', 'Request', 1)
    await round()
    await round()
    expect(await revisions(system, 'sensor-a')).toEqual([2])
  })

  it('ends where another policy is set: what that keeps stays', async () => {
    const { system, round } = await named()
    await give(system, 'sensor', 'Set', 85)
    await round()
    await round()
    expect(await revisions(system, 'sensor-a')).toEqual([0, 1, 2])
    await give(system, 'sensor', 'Request', 1)
    await round()
    await round()
    expect(await revisions(system, 'sensor-a')).toEqual([1, 2])
  })

  it('leaves what its owner hid in between in the log: nobody named that', async () => {
    const { system, round } = await named()
    await foreignEvent(system.eventStore, 'sensor-a', 2)
    await orThrow(system.eventStore.setMetadata('sensor-a', { owner: 'Ada', $tb: 3 }))
    await round()
    expect(await revisions(system, 'sensor-a')).toEqual([3])
    expect(await inLog(system, 'sensor')).toBe(2)
    expect(await system.eventStore.metadata('sensor-a')()).toMatchObject({ right: { owner: 'Ada', $tb: 3 } })
  })
})

describe('a clock that is years ahead', () => {
  it('makes nothing due: the log has nothing of these years', async () => {
    setDaysLater(0)
    const system = await testSystem()
    await inUse(system)
    for (const days of [3, 2, 1]) await foreignEvent(system.eventStore, 'sensor-a', days)
    await give(system, 'sensor', 'Set')
    const round = retentionRounds(system, tree())
    await round()
    setDaysLater(5000)
    await give(system, 'sensor', 'Request')
    await round()
    await round()
    expect(await revisions(system, 'sensor-a')).toEqual([0, 1, 2])
    // Where the log goes on for more than an hour there, it is believed.
    await inUse(system)
    await give(system, 'sensor', 'Request', 1)
    await round()
    await round()
    expect(await revisions(system, 'sensor-a')).toEqual([])
  })
})

describe('an event that has a time of its own', () => {
  it('that lies ahead stays with what is behind it in its stream, and keeps nothing else from going', async () => {
    const system = await testSystem()
    for (const [stream, days] of [
      ['sensor-a', -900],
      ['sensor-a', 90],
      ['sensor-b', 90],
    ] as const)
      await foreignEvent(system.eventStore, stream, days)
    await inUse(system)
    await give(system, 'sensor', 'Set')
    await give(system, 'sensor', 'Request')
    const round = retentionRounds(system, tree())
    await round()
    await round()
    expect([await revisions(system, 'sensor-a'), await revisions(system, 'sensor-b')]).toEqual([[0, 1], []])
  })

  it('that is older than what went before goes, too', async () => {
    const system = await testSystem()
    await inUse(system)
    const round = retentionRounds(system, tree())
    await give(system, 'sensor', 'Set')
    for (const days of [50, 900]) {
      await foreignEvent(system.eventStore, 'sensor-a', days)
      await give(system, 'sensor', 'Request', days)
      await round()
      await round()
      expect(await revisions(system, 'sensor-a')).toEqual([])
    }
  })
})
