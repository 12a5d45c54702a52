import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import * as either from 'fp-ts/lib/Either.js'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { openEventStoreDb } from '../../../../infra/event-store/eventstoredb/event-store.ts'
import type { EventStore } from '../../../../src/ports/event-store.ts'
import { event } from '../../../contracts/new-event.ts'
import { type Served, serve } from './gateway.ts'

/** Lies between client and server. */
const meddler = async (port: number) => {
  const pairs: (readonly [Socket, Socket])[] = []
  let cuts = false
  const server = createServer((client) => {
    const behind = connect(port, '127.0.0.1')
    pairs.push([client, behind])
    for (const socket of [client, behind]) socket.on('error', () => {})
    client.pipe(behind)
    behind.on('data', (data) => {
      if (!cuts) client.write(data)
      else client.destroy()
    })
    client.on('close', () => behind.destroy())
    behind.on('close', () => client.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    /** Connections that there are: nothing passes any more, and nobody is told. */
    silence: () => {
      for (const [client, behind] of pairs) {
        client.unpipe(behind)
        client.resume()
        behind.pause()
      }
    },
    /** The next thing that the server says never arrives: the connection breaks instead. */
    cutAnswers: (wanted: boolean) => {
      cuts = wanted
    },
    close: () => {
      for (const pair of pairs) for (const socket of pair) socket.destroy()
      server.close()
    },
  }
}

let served: Served
let between: Awaited<ReturnType<typeof meddler>>
let direct: EventStore
let store: EventStore
beforeEach(async () => {
  served = await serve()
  between = await meddler(served.port)
  direct = openEventStoreDb(served.address)
  vi.spyOn(console, 'warn').mockImplementation(() => {})
  store = openEventStoreDb(
    `esdb://127.0.0.1:${between.port}?tls=false&keepAliveInterval=200&keepAliveTimeout=200`,
  )
})
afterEach(async () => {
  vi.restoreAllMocks()
  await Promise.all([store.close(), direct.close()])
  between.close()
  await served.dispose()
})

it('a peer that vanished without a word: the subscription notices, and misses nothing', async () => {
  const abort = new AbortController()
  const seen: bigint[] = []
  let live = false
  const following = (async () => {
    for await (const batch of store.subscribe(-1n, {}, abort.signal)) {
      seen.push(...batch.events.map(({ revision }) => revision))
      live = batch.caughtUp
    }
  })()
  while (!live) await setImmediate()
  between.silence()
  for (let n = 0; n < 3; n++) await direct.append('a-1', 'any', [event()])()
  while (seen.length < 3) await setImmediate()
  expect(seen).toEqual([0n, 1n, 2n])
  abort.abort()
  await following
})

it('an append whose answer was lost: unavailable, and success again when it is repeated', async () => {
  await store.append('warm-1', 'any', [event()])()
  const events = [event(), event()]
  between.cutAnswers(true)
  expect(await store.append('a-1', 'none', events)()).toMatchObject({ left: { kind: 'Unavailable' } })
  expect(await direct.read('a-1', 'start', 'forward', 9)()).toMatchObject({ right: [{}, {}] })
  between.cutAnswers(false)
  const repeated = await vi.waitFor(async () => {
    const result = await store.append('a-1', 'none', events)()
    expect(either.isRight(result)).toBe(true)
    return result
  })
  expect(repeated).toMatchObject({ right: { revision: 1n } })
  expect(await direct.read('a-1', 'start', 'forward', 9)()).toMatchObject({ right: [{}, {}] })
})
