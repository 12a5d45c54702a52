import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, it, onTestFinished } from 'vitest'
import type { System } from '#src/app/system.ts'
import { orThrow } from '#src/async/unavailable.ts'
import { retention, retentionStream } from '#src/domain/kernel/retention.ts'
import { policiesOfLog } from '#src/projections/retention/policies.ts'
import { testSystem } from './archive.ts'
import { foreignEvent, inUse, retentionRounds } from './proof/retention-rounds.ts'

setFlagsFromString('--expose_gc')
const collectGarbage: () => void = runInNewContext('gc')
const bytesInUse = async (): Promise<number> => {
  await setImmediate()
  for (let times = 0; times < 2; times++) collectGarbage()
  return process.memoryUsage().heapUsed
}

const many = 100_000

it('of 100,000 streams memory stays flat', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'fonds-retention-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const system = await testSystem()
  const by = { category: 'sensor', actor: 'ada', reason: 'schedule', at: system.clock.now() }
  const give = (command: { type: 'Set'; days: number } | { type: 'Request' }) =>
    orThrow(() =>
      system.execute(retention, {
        ...{ stream: retentionStream('sensor'), command: { ...command, ...by }, causationId: command.type },
      }),
    )
  for (let n = 0; n < many; n += 1000)
    await Promise.all(
      Array.from({ length: 1000 }, (_, i) => foreignEvent(system.eventStore, `sensor-${n + i}`, 90)),
    )
  let most = 0
  const measured: System = {
    ...system,
    eventStore: {
      ...system.eventStore,
      scavenge: (streams) => async () => {
        if (Number(streams[0]!.stream.split('-')[1]) % 20_000 === 0) most = Math.max(most, await bytesInUse())
        return system.eventStore.scavenge!(streams)()
      },
    },
  }
  await inUse(system)
  const round = retentionRounds(measured, folder)
  await round()
  await give({ type: 'Set', days: 30 })
  await give({ type: 'Request' })
  const before = await bytesInUse()
  await round()
  const named = await bytesInUse()
  await round()
  expect((await policiesOfLog(system.eventStore))[0]).toMatchObject({
    removed: many,
    state: { named: undefined },
  })
  const left = await orThrow(system.eventStore.readAll(-1n, { categories: ['sensor'] }, 10))
  expect(left.events).toEqual([])
  // All names together are some ten megabytes.
  expect(named - before).toBeLessThan(5e6)
  expect(most - before).toBeLessThan(8e6)
})
