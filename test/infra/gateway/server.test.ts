import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { type Credentials, ErrorType, EventStoreDBClient, jsonEvent, START } from '@eventstore/db-client'
import streamServices from '@eventstore/db-client/generated/streams_grpc_pb.js'
import streamMessages from '@eventstore/db-client/generated/streams_pb.js'
import { credentials, Metadata, makeClientConstructor, status } from '@grpc/grpc-js'
import { afterEach, expect, it, vi } from 'vitest'
import { startGateway } from '../../../infra/gateway/gateway.ts'
import { proxySign } from '../../../src/app/proxy-sign.ts'
import { serverTls, tlsFiles } from '../../fixtures/tls/files.ts'
import { patience } from '../../patience.ts'
import { createNames } from './record/names.ts'
import { appendRequests, readRequest } from './record/requests.ts'
import { collect, type Running, refusal, runGateway, some } from './running-gateway.ts'

let running: Running
afterEach(() => running.dispose())

it('is found by discovery, and by a name that the client chose', async () => {
  running = await runGateway()
  for (const host of [`127.0.0.1:${running.gateway.port}`, `localhost:${running.gateway.port}`]) {
    const client = EventStoreDBClient.connectionString(
      `esdb+discover://${host}?tls=false&maxDiscoverAttempts=2`,
    )
    await client.appendToStream('a-1', some(1))
    await client.dispose()
  }
  expect(await collect(running.client.readStream('a-1'))).toHaveLength(2)
})
it('methods that are not here are said to be unimplemented', async () => {
  running = await runGateway()
  expect(await refusal(running.client.listProjections())).toMatchObject({ code: status.UNIMPLEMENTED })
})

it('a port that is taken: one sentence, and nothing printed', async () => {
  running = await runGateway()
  const printed = vi.spyOn(console, 'error')
  const { db, gateway } = running
  await expect(
    startGateway(db, { host: '127.0.0.1', port: gateway.port, reject: () => undefined }),
  ).rejects.toThrow(
    `the gateway cannot listen on 127.0.0.1:${gateway.port}: something else listens there; choose another port or host`,
  )
  expect(printed).not.toHaveBeenCalled()
  printed.mockRestore()
})

it('TLS and a token: the password is asked of every call, whatever the user name', async () => {
  running = await runGateway({ tls: serverTls, token: 'open sesame' })
  const { gateway } = running
  const attempt = async (user: string | undefined, each?: Credentials) => {
    const client = EventStoreDBClient.connectionString(
      `esdb+discover://${user === undefined ? '' : `${user}@`}localhost:${gateway.port}?tlsCAFile=${tlsFiles.authority}`,
    )
    const options = each ? { credentials: each } : {}
    try {
      await client.appendToStream('a-1', some(1), options)
      const read = await collect(client.readStream('a-1', options))
      return read.length
    } catch (error) {
      const first = (error as { type?: string }).type
      const second = await refusal(collect(client.readAll()))
      return [first, second.type]
    } finally {
      await client.dispose()
    }
  }
  const denied = [ErrorType.ACCESS_DENIED, ErrorType.ACCESS_DENIED]
  expect(await attempt(undefined)).toEqual(denied)
  expect(await attempt('anna:open%20sesam')).toEqual(denied)
  expect(await attempt('anna:x', { username: 'a', password: 'open' })).toEqual(denied)
  expect(await attempt('anna:open%20sesame')).toBe(1)
  expect(await attempt(undefined, { username: '', password: 'open sesame' })).toBe(2)
  const raw = new streamServices.StreamsClient(
    `localhost:${gateway.port}`,
    credentials.createSsl(readFileSync(tlsFiles.authority)),
  )
  const [error] = await once(raw.read(readRequest({ call: 'read', stream: 'a-1' }, createNames())), 'error')
  expect(error.code).toBe(status.UNAUTHENTICATED)
  expect(error.metadata.get('exception')).toEqual([])
  raw.close()
})

it('without a token, what a proxy passes on is not of this machine', async () => {
  running = await runGateway({ proxySign })
  const call = (names: Readonly<Record<string, string>>) => {
    const metadata = new Metadata()
    for (const [name, value] of Object.entries(names)) metadata.set(name, value)
    return new Promise<number>((resolve) => {
      running.raw
        .read(new streamMessages.ReadReq(), metadata)
        .on('error', ({ code }: { code: number }) => resolve(code))
        .on('end', () => resolve(status.OK))
        .resume()
    })
  }
  expect(await call({ 'x-forwarded-for': '203.0.113.7' })).toBe(status.UNAUTHENTICATED)
  expect(await call({ via: '2 proxy' })).toBe(status.UNAUTHENTICATED)
  expect(await call({})).toBe(status.INVALID_ARGUMENT)
  expect(await running.client.appendToStream('a-1', some(1))).toMatchObject({ success: true })
})

it('a message that is none, and a bug in a handler, end one call', async () => {
  const error = vi.fn()
  running = await runGateway({
    reject: (stream) => {
      if (stream === 'bug-1') throw new Error('a bug')
      return undefined
    },
    log: { debug: vi.fn(), info: vi.fn(), warn: vi.fn(), error },
  })
  const { append, read } = streamServices.StreamsService
  const garbage = { requestSerialize: (bytes: Buffer) => bytes }
  const Garbler = makeClientConstructor(
    { append: { ...append, ...garbage }, read: { ...read, ...garbage } },
    'garbler',
  )
  const garbler = new Garbler(running.address, credentials.createInsecure())
  const sent = new Promise<unknown>((resolve) => {
    const call = garbler.append?.((fault: unknown) => resolve(fault))
    call.write(Buffer.from([0xff, 0xff, 0xff, 0xff]))
    call.end()
  })
  expect(await sent).toMatchObject({ code: status.INTERNAL })
  const [fault] = await once(garbler.read?.(Buffer.from([0x0a, 0x7f, 0x01])), 'error')
  expect(fault).toMatchObject({ code: status.INTERNAL })
  garbler.close()

  const classic = { credentials: { username: 'a', password: 'b' } }
  expect(await refusal(running.client.appendToStream('bug-1', some(1), classic))).toMatchObject({
    code: status.INTERNAL,
  })
  expect(await refusal(running.client.appendToStream('bug-1', some(1)))).toMatchObject({
    type: ErrorType.UNKNOWN,
  })
  expect(error).toHaveBeenCalledTimes(2)
  await running.client.appendToStream('a-1', some(1))
})

it('stop: subscriptions end with Unavailable, new calls are refused', async () => {
  running = await runGateway()
  await running.client.appendToStream('a-1', some(1))
  const subscription = running.client.subscribeToAll({ fromPosition: START })
  const failed = once(subscription, 'error')
  // Flows, or what was read would stand before the end.
  await new Promise((resolve) => subscription.once('data', resolve))
  const stopped = running.gateway.stop(2000)
  const [error] = await failed.catch((fault) => [fault])
  expect(error).toMatchObject({ type: ErrorType.UNAVAILABLE })
  await stopped
  expect(await refusal(collect(running.client.readAll()))).toMatchObject({ type: ErrorType.UNAVAILABLE })
})
it('stop: every call under way ends at once with Unavailable, whatever it waits for', async () => {
  running = await runGateway()
  const { raw, client, gateway } = running
  await client.appendToStream('a-1', some(1))
  const [append, batch] = await Promise.all([
    new Promise<unknown>((resolve) => {
      raw.append(resolve).write(appendRequests('a-2', 'any', [], createNames())[0]!)
    }),
    once(
      raw.batchAppend().on('data', () => {}),
      'error',
    ),
    // What comes over the same connection comes behind them.
    once(raw.read(readRequest({ call: 'read', stream: 'a-1' }, createNames())).resume(), 'end').then(() =>
      gateway.stop(patience),
    ),
  ])
  for (const error of [append, batch[0]])
    expect(error).toMatchObject({
      code: status.UNAVAILABLE,
      details: 'the gateway is stopping; try again',
    })
  expect(await running.store.read('a-2', 'start', 'forward', 1)()).toMatchObject({ right: [] })
})
it('stop: a client that takes nothing is cut off at the deadline', async () => {
  running = await runGateway()
  await running.client.appendToStream(
    'a-1',
    Array.from({ length: 9 }, () => jsonEvent({ type: 'Large', data: 'x'.repeat(100_000) })),
  )
  for (let n = 0; n < 20; n++)
    await running.client.appendToStream('a-1', jsonEvent({ type: 'Large', data: 'x'.repeat(900_000) }))
  const call = running.raw.read(readRequest({ call: 'read', stream: 'a-1' }, createNames()))
  call.on('error', () => {})
  await once(call, 'metadata')
  call.pause()
  await running.gateway.stop(50)
  expect(await refusal(running.client.appendToStream('a-1', some(1)))).toMatchObject({
    code: status.UNAVAILABLE,
  })
})
