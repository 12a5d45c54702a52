import { Metadata, status } from '@grpc/grpc-js'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openEventStoreDb } from '../../infra/event-store/eventstoredb/event-store.ts'
import { event } from '../contracts/new-event.ts'
import { serve } from '../infra/event-store/eventstoredb/gateway.ts'
import { inFront } from '../infra/event-store/eventstoredb/in-front.ts'
import { ask, run, start, startServer, stop, until, useFolder } from './run-fonds.ts'

/* What runs for long waits for a log or a broker that is away; only a person can change that a login is refused. */

const useServed = async () => {
  const served = await serve()
  onTestFinished(served.dispose)
  return served
}

const readiness = async (address: string) => {
  const answer = await fetch(`${address}/readyz`)
  return { status: answer.status, text: await answer.text() }
}

describe('a log that is away', () => {
  it('a node waits for it, alive and not ready, says so once, and is at work when it is there', async () => {
    const served = await useServed()
    await served.stop()
    const given = { home: useFolder().home, env: { FONDS_EVENT_STORE: served.address } }
    const node = await startServer(given)
    expect((await fetch(`${node.address}/healthz`)).status).toBe(200)
    const waiting = await readiness(node.address)
    expect(waiting.status).toBe(503)
    expect(waiting.text).toMatch(/waiting: .*127\.0\.0\.1:\d+ cannot be reached/)
    expect(node.stderr().match(/waiting: /g)).toHaveLength(1)
    expect(node.stderr()).not.toMatch(/Ctrl-C stops/)

    await served.start()
    await node.says(/roles .*Ctrl-C stops/)
    await until('ready', async () => (await readiness(node.address)).status === 200)
    const command = ['fixity.register-store', 'store=far', 'kind=external']
    await ask(['do', ...command, '--actor', 'me', '--reason', 'test'], given)
    await until('the view has it', async () => (await ask(['query', 'fixity-stores'], given)).length > 0)
    expect(node.stderr().match(/waiting: /g)).toHaveLength(1)
    expect(await stop(node)).toBe(0)
  })

  it('a node that waits ends when it is to', async () => {
    const node = await startServer({
      home: useFolder().home,
      env: { FONDS_EVENT_STORE: 'esdb://127.0.0.1:1?tls=false' },
    })
    expect(await stop(node)).toBe(0)
    expect(node.stderr()).toContain('stopped before it was running')
  })

  it('it goes away and comes back: all is followed again, and it is told once', async () => {
    const served = await useServed()
    const env = { FONDS_EVENT_STORE: served.address, FONDS_LOG_LEVEL: 'debug' }
    const node = await startServer({ home: useFolder().home, env })
    await until('ready', async () => (await readiness(node.address)).status === 200)
    await served.stop()
    const told = () =>
      node
        .stderr()
        .split('\n')
        .filter((line) => line.includes('a projection is stalled; retrying'))
        .map((line) => JSON.parse(line) as { readonly level: number; readonly projection: string })
    await until('each was tried several times', () => {
      const all = told()
      return all.length > 4 * new Set(all.map(({ projection }) => projection)).size
    })
    expect((await readiness(node.address)).status).toBe(503)
    await served.start()
    await until('ready', async () => (await readiness(node.address)).status === 200)
    const warned = told().filter(({ level }) => level > 30)
    expect(new Set(warned.map(({ projection }) => projection)).size).toBe(warned.length)
    expect(await stop(node)).toBe(0)
  })

  it('a worker waits for it', async () => {
    const served = await useServed()
    await served.stop()
    const given = { home: useFolder().home, env: { FONDS_EVENT_STORE: served.address } }
    const worker = start(['worker', 'fixity'], given)
    await worker.says(/waiting: .*cannot be reached/)
    await served.start()
    await worker.says(/is at work/)
    expect(await stop(worker)).toBe(0)
  })
})

it('a broker that is away: a node waits for it', async () => {
  const node = await startServer({ home: useFolder().home, env: { FONDS_BROKER: 'kafka://127.0.0.1:1' } })
  expect((await fetch(`${node.address}/healthz`)).status).toBe(200)
  await node.says(/waiting: .*127\.0\.0\.1:1\b/)
  const waiting = await readiness(node.address)
  expect(waiting.status).toBe(503)
  expect(waiting.text).toMatch(/waiting: .*ECONNREFUSED/)
  expect(await stop(node)).toBe(0)
})

describe('a login that is refused', () => {
  it.each([
    ['a wrong password', status.UNAUTHENTICATED, /denied access; are the name and the password/],
    ['no right to read $all', status.PERMISSION_DENIED, /does not let us read \$all.*\$admins/],
  ])('%s: start ends at once, doctor says it', async (_, code, says) => {
    const served = await useServed()
    const writer = openEventStoreDb(served.address)
    await writer.append('a-1', 'none', [event()])()
    await writer.close()
    const metadata = new Metadata()
    metadata.set('exception', 'access-denied')
    const denied = Object.assign(new Error('Access Denied'), { code, details: 'Access Denied', metadata })
    const server = await inFront(served.port, {
      read: (call) => {
        const isAll = call.request.getOptions()?.hasAll() === true
        return (isAll || code === status.UNAUTHENTICATED) && call.emit('error', denied)
      },
    })
    onTestFinished(server.close)
    const given = { home: useFolder().home, env: { FONDS_EVENT_STORE: server.address, FONDS_PORT: '0' } }
    const ran = await run(['start'], given)
    expect(ran.stderr).toMatch(says)
    expect(ran.stderr).not.toMatch(/waiting/)
    expect(ran.code).toBe(3)
    const doctor = await run(['doctor'], given)
    expect(doctor.stdout).toMatch(says)
    expect(doctor.code).toBe(1)
  })
})
