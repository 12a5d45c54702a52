import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { dispatch } from '#src/app/dispatch.ts'
import { runNotices } from '#src/app/notices/run-notices.ts'
import type { System } from '#src/app/system.ts'
import { holds } from '#src/domain/ingest/views.ts'
import { rowsIfFolded } from '#src/domain/kernel/read-views.ts'
import { commandsOf } from '#src/workflows/workflow.ts'
import { filesWith } from '../../files-with.ts'
import { patience } from '../../patience.ts'
import { started, testSystem } from '../archive.ts'

/* A receiver of webhooks that is rude: it is slow, answers 500, closes, redirects. */

type Answer = (request: IncomingMessage, response: ServerResponse) => void

const yes: Answer = (_, response) => void response.writeHead(204).end()

const receiver = async () => {
  const bodies: { readonly id: string; readonly causes: { key: string; status: string }[] }[] = []
  const state: { answer: Answer; asked: number } = { answer: yes, asked: 0 }
  const ids = new Set<string>()
  const server = createServer((request, response) => {
    state.asked++
    ids.add(String(request.headers['idempotency-key']))
    let text = ''
    request.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk
    })
    request.on('end', () => {
      if (state.answer === yes) bodies.push(JSON.parse(text))
      state.answer(request, response)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { state, bodies, ids, address: `http://127.0.0.1:${port}/hook?token=x` }
}

const open = async (address: string, more = {}) => {
  const system = await testSystem({
    noticesWebhook: address,
    noticesAfterSeconds: 1,
    stallSeconds: 1,
    ...more,
  })
  await started(system, ['processors', 'projections'])
  return system
}

const tell = (system: System) => {
  const running = runNotices(system, { isLeader: () => true })
  onTestFinished(() => running.stop())
  return running
}

const give = async (system: System, name: string) => {
  const command = commandsOf(system.workflows).find((one) => one.name === name)
  if (!command) throw new Error(name)
  await dispatch(system, command, { collection: 'maps' }, { actor: 'ada', reason: 'the roof leaks' })
  const isHeld = name === 'ingest.hold-collection'
  await expect
    .poll(() => rowsIfFolded(system.viewStore, holds).length, { timeout: patience })
    .toBe(isHeld ? 1 : 0)
}

const told = (bodies: Awaited<ReturnType<typeof receiver>>['bodies']) =>
  bodies.flatMap(({ causes }) => causes.map(({ key, status }) => `${status} ${key}`))

/** Counts how often it is looked what waits. */
const watched = (system: System) => {
  let looks = 0
  const head: System['eventStore']['head'] = () => {
    looks++
    return system.eventStore.head()
  }
  return {
    system: { ...system, eventStore: { ...system.eventStore, head } },
    more: async (count: number) => {
      const wanted = looks + count
      await expect.poll(() => looks, { timeout: patience }).toBeGreaterThanOrEqual(wanted)
    },
  }
}

it('each cause is told once, across restarts, and told when it is over', async () => {
  const { bodies, address } = await receiver()
  const system = await open(address)
  await give(system, 'ingest.hold-collection')
  const first = tell(system)
  await expect.poll(() => told(bodies), { timeout: patience }).toEqual(['new hold/collection:maps'])
  await first.stop()
  const again = watched(system)
  tell(again.system)
  await again.more(5)
  expect(bodies).toHaveLength(1)
  await give(system, 'ingest.release-collection')
  await expect
    .poll(() => told(bodies), { timeout: patience })
    .toEqual(['new hold/collection:maps', 'over hold/collection:maps'])
})

it('Q44 a reason that the log has by reference is told as it was given', async () => {
  const { bodies, address } = await receiver()
  const system = await open(address, { personalValues: 'on' })
  await give(system, 'ingest.hold-collection')
  tell(system)
  await expect.poll(() => bodies.length, { timeout: patience }).toBe(1)
  expect(JSON.stringify(bodies)).toContain('the roof leaks')
  expect(JSON.stringify(bodies)).not.toContain('personal:')
  expect(filesWith(system.config.home, 'the roof leaks')).toEqual([])
})

it.each<[string, Answer]>([
  ['answers 500', (_, response) => void response.writeHead(500).end('no')],
  ['redirects', (_, response) => void response.writeHead(302, { location: '/elsewhere' }).end()],
  ['closes', (request) => void request.socket.destroy()],
  ['answers too late', () => undefined],
])(
  'a receiver that %s is asked again with the same id, ever more rarely, until it takes it',
  async (_, rude) => {
    const { state, bodies, ids, address } = await receiver()
    const system = await open(address)
    await give(system, 'ingest.hold-collection')
    state.answer = rude
    tell(system)
    await expect.poll(() => state.asked, { timeout: patience }).toBeGreaterThan(1)
    state.answer = yes
    await expect.poll(() => told(bodies), { timeout: patience }).toEqual(['new hold/collection:maps'])
    expect(ids.size).toBe(1)
  },
)

it('where the log is away when it was told, it is told again: with the same id, so that it can be known', async () => {
  const { bodies, address } = await receiver()
  const system = await open(address)
  await give(system, 'ingest.hold-collection')
  let fails = 1
  const execute: System['execute'] = async (decider, envelope) => {
    if (fails-- > 0) throw new Error('the process was killed here')
    return system.execute(decider, envelope)
  }
  const looked = watched({ ...system, execute })
  tell(looked.system)
  await expect.poll(() => bodies.length, { timeout: patience }).toBe(2)
  expect(new Set(bodies.map(({ id }) => id)).size).toBe(1)
  await looked.more(4)
  expect(bodies).toHaveLength(2)
})

it('in quiet hours nobody is told; what still waits is told afterwards', async () => {
  const { state, bodies, address } = await receiver()
  const system = await open(address, { noticesQuiet: '22:00-07:00' })
  await give(system, 'ingest.hold-collection')
  let now = new Date(2026, 0, 31, 23, 0).toISOString()
  const clock = { ...system.clock, now: () => now }
  const looked = watched({ ...system, clock })
  tell(looked.system)
  await looked.more(5)
  expect(state.asked).toBe(0)
  now = new Date(2026, 1, 1, 7, 0).toISOString()
  await expect.poll(() => told(bodies), { timeout: patience }).toEqual(['new hold/collection:maps'])
})

it('who is not the leader tells nothing', async () => {
  const { state, address } = await receiver()
  const system = await open(address)
  await give(system, 'ingest.hold-collection')
  let asked = 0
  const running = runNotices(system, { isLeader: () => ++asked < 3 })
  await expect.poll(() => asked, { timeout: patience }).toBeGreaterThanOrEqual(3)
  await running.stop()
  expect(state.asked).toBe(0)
})
