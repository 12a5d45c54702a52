import { rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { proof } from '#src/app/doctor/proof.ts'
import type { System } from '#src/app/system.ts'
import { executor } from '#src/processors/runtime/execute.ts'
import { createLeaderStream } from '#src/processors/runtime/leader-stream.ts'
import { streamStates } from '#src/processors/runtime/stream-states.ts'
import { sealerLease, setTreeMark } from '#src/processors/runtime/tree-mark.ts'
import { event } from '../../contracts/new-event.ts'
import { openTestSystem } from '../../fakes/system.ts'
import { sealAll } from '../proof/sealer.ts'

const open = async (): Promise<System> => {
  const system = await openTestSystem()
  onTestFinished(() => system.close())
  return system
}
const seal = async ({ eventStore, config }: System) => {
  await eventStore.append('a-1', 'any', [event()])()
  await sealAll(config.home, eventStore)
}

it('a log that nobody sealed, and one that is sealed, are well', async () => {
  const system = await open()
  expect(await proof(system)).toMatchObject({ status: 'ok', says: 'the log has no Merkle tree yet' })
  await seal(system)
  expect(await proof(system)).toMatchObject({ status: 'ok', says: expect.stringMatching(/ seals 1 event$/) })
})

it('a head that is older than a day: nobody seals', async () => {
  const system = await open()
  await seal(system)
  const at = Date.now() / 1000 - 26 * 3600
  utimesSync(join(system.config.home, 'proof/checkpoint'), at, at)
  expect(await proof(system)).toMatchObject({ status: 'warn', todo: expect.stringContaining('role sealer') })
})

it('a tree in another home is well while somebody seals; a restored home is told what to do', async () => {
  const system = await open()
  await setTreeMark(system.eventStore, 'archive.example/log')
  expect(await proof(system)).toMatchObject({
    status: 'warn',
    says: 'the Merkle tree archive.example/log of the log is in another home, and no process seals',
    todo: expect.stringContaining('fonds do proof.replace-tree'),
  })
  const { eventStore, clock, log } = system
  const states = streamStates(eventStore)
  const stream = createLeaderStream(sealerLease, { execute: executor(eventStore, states), states, log })
  const deadline = new Date(Date.parse(clock.now()) + 3_600_000).toISOString()
  await stream.execute({
    type: 'Take',
    at: clock.now(),
    actor: 'x',
    holder: 'x',
    deadline,
    millis: 3_600_000,
  })
  expect(await proof(system)).toMatchObject({ status: 'ok' })
})

it.each<[string, (home: string) => void, RegExp]>([
  [
    'the key is gone',
    (home) => rmSync(join(home, 'proof-key'), { recursive: true }),
    /the key of .* is not in/,
  ],
  ['a tile is gone', (home) => rmSync(join(home, 'proof/tile/0'), { recursive: true }), /lacks tile 0/],
  [
    'a tile was cut',
    (home) => writeFileSync(join(home, 'proof/tile/0/000.p/1'), 'x'),
    /tile\/0\/000.p\/1 in .* is damaged: it has 1 bytes/,
  ],
  ['the head is none', (home) => writeFileSync(join(home, 'proof/checkpoint'), 'x'), /has no empty line/],
])('%s: it fails', async (_, damage, says) => {
  const system = await open()
  await seal(system)
  damage(system.config.home)
  expect(await proof(system)).toMatchObject({ status: 'fail', says: expect.stringMatching(says) })
})
