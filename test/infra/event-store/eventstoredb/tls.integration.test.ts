import { randomUUID } from 'node:crypto'
import * as either from 'fp-ts/lib/Either.js'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { openEventStoreDb } from '../../../../infra/event-store/eventstoredb/event-store.ts'
import type { EventStore } from '../../../../src/ports/event-store.ts'
import { eventStoreContract } from '../../../contracts/event-store.ts'
import { event } from '../../../contracts/new-event.ts'
import { tlsFiles } from '../../../fixtures/tls/files.ts'
import { type Served, serve } from './gateway.ts'

const secret = 'open: sésame @/?'

eventStoreContract('EventStoreDB client through the gateway, over TLS and with a password', async () => {
  const served = await serve(secret)
  const opened: EventStore[] = []
  const open = () => {
    const store = openEventStoreDb(served.address)
    opened.push(store)
    return store
  }
  return {
    store: open(),
    other: async () => open(),
    dispose: async () => {
      await Promise.all(opened.map((store) => store.close()))
      await served.dispose()
    },
    knowsIdsAtExactRevision: false,
  }
})

describe('over TLS', () => {
  let served: Served
  const opened: EventStore[] = []
  /** `{login}`, `{port}` and `{ca}` stand for what is right. */
  const open = (address: string) => {
    const login = `fonds:${encodeURIComponent(secret)}`
    const store = openEventStoreDb(
      address
        .replace('{login}', login)
        .replace('{port}', String(served.port))
        .replace('{ca}', `tlsCAFile=${tlsFiles.authority}`),
    )
    opened.push(store)
    return store
  }
  beforeAll(async () => {
    served = await serve(secret)
  })
  afterEach(() => Promise.all(opened.splice(0).map((store) => store.close())))
  afterAll(() => served.dispose())

  it.each([
    ['esdb://{login}@localhost:{port}?tls=true&{ca}'],
    ['esdb://{login}@127.0.0.1:{port}?{ca}'],
    ['esdb+discover://{login}@localhost:{port}?{ca}'],
    ['esdb+discover://{login}@127.0.0.1:1,localhost:{port}?{ca}'],
    ['esdb://{login}@127.0.0.1:1,localhost:{port}?{ca}'],
    [`kurrentdb://{login}@localhost:{port}?tlsCaFile=${tlsFiles.authority}&keepAliveInterval=10000`],
    ['kurrentdb+discover://{login}@localhost:{port}?{ca}&nodePreference=leader&defaultDeadline=5000'],
    ['kurrentdb+discover://{login}@127.0.0.1:1,localhost:{port}?{ca}&nodePreference=follower'],
    [
      `kurrentdb://{login}@localhost:{port}?{ca}&userCertFile=${tlsFiles.client.cert}&userKeyFile=${tlsFiles.client.key}`,
    ],
  ])('%s reads, writes and follows', async (address) => {
    const store = open(address)
    const stream = `a-${randomUUID()}`
    const written = await store.append(stream, 'none', [event(), event()])()
    expect(written).toMatchObject(either.right({ revision: 1n }))
    expect(await store.read(stream, 'end', 'backward', 1)()).toMatchObject({ right: [{ revision: 1n }] })
    const done = new AbortController()
    for await (const batch of store.subscribe(-1n, {}, done.signal))
      if (batch.events.some((one) => one.stream === stream)) done.abort()
    expect(done.signal.aborted).toBe(true)
  })

  it.each([
    ['a wrong password', 'esdb://fonds:guess@localhost:{port}?{ca}', 'denied access'],
    ['no password', 'esdb://localhost:{port}?{ca}', 'denied access'],
    ['another authority', `esdb://{login}@localhost:{port}?tlsCAFile=${tlsFiles.stranger}`, 'tlsCAFile'],
    ['an authority that nobody named', 'esdb://{login}@localhost:{port}', 'tlsCAFile'],
    ['no TLS', 'esdb://{login}@localhost:{port}?tls=false', 'cannot be reached'],
    [
      'discovery without TLS',
      'esdb+discover://{login}@localhost:{port}?tls=false&discoveryInterval=10',
      'cannot be reached',
    ],
  ])('%s: every call says so, and the password is not told', async (_, address, says) => {
    const store = open(address)
    const unavailable = { _tag: 'Left', left: { kind: 'Unavailable', reason: expect.stringContaining(says) } }
    const answers = [
      await store.append('a-1', 'any', [event()])(),
      await store.read('a-1', 'start', 'forward', 1)(),
      await store.readAll(-1n, {}, 1)(),
      await store.head()(),
      await store.identity()(),
      await store.keepLatest('a-1', 1)(),
    ]
    for (const answer of answers) expect(answer).toMatchObject(unavailable)
    expect(JSON.stringify(answers)).not.toMatch(/guess|sesame|s%C3%A9same/)
  })
})
