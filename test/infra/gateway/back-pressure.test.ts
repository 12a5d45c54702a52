import { setImmediate } from 'node:timers/promises'
import { jsonEvent } from '@eventstore/db-client'
import streams from '@eventstore/db-client/generated/streams_pb.js'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Outlet } from '../../../infra/gateway/answer-stream.ts'
import { createLogReader } from '../../../infra/gateway/log.ts'
import { readOnce } from '../../../infra/gateway/read.ts'
import type { ReadRequest } from '../../../infra/gateway/read-request.ts'
import type { ReadAnswer } from '../../../infra/gateway/read-service.ts'
import { subscribe } from '../../../infra/gateway/subscribe.ts'
import { type Running, runGateway, some } from './running-gateway.ts'

let running: Running
beforeEach(async () => {
  running = await runGateway()
})
afterEach(() => running.dispose())

/** A client that takes what was written when it is told to. */
const slowClient = () => {
  let events = 0
  let bytes = 0
  let take = () => {}
  const left = new AbortController()
  const outlet: Outlet<ReadAnswer> = {
    write: (answer) => {
      const response = Buffer.isBuffer(answer) ? streams.ReadResp.deserializeBinary(answer) : answer
      const data = response.getEvent()?.getEvent()?.getData_asU8()
      if (!data) return
      events++
      bytes += data.length
    },
    drained: () =>
      new Promise((resolve) => {
        take = resolve
      }),
    closed: left.signal,
  }
  return {
    outlet,
    written: () => ({ events, bytes }),
    take: () => take(),
    leave: () => {
      left.abort()
      take()
    },
  }
}
const whole: ReadRequest = {
  stream: undefined,
  direction: 'forward',
  from: 'start',
  limit: 1_000_000,
  filter: undefined,
  resolvesLinks: false,
  wantsBounds: false,
  ids: 'text',
}
const ways = {
  read: (outlet: Outlet<ReadAnswer>) =>
    readOnce(createLogReader(running.db.reader, Date.now), whole, 1_000_000, outlet),
  subscribe: (outlet: Outlet<ReadAnswer>) =>
    subscribe(running.db, createLogReader(running.db.reader, Date.now), whole, outlet),
}

it.each(['read', 'subscribe'] as const)(
  '%s: no more than a page is read ahead of a slow client, in events and in bytes',
  async (way) => {
    for (let n = 0; n < 4; n++) await running.client.appendToStream('a-1', some(200))
    const large = () => jsonEvent({ type: 'L', data: { text: 'x'.repeat(900_000) } })
    for (let n = 0; n < 5; n++) await running.client.appendToStream('a-1', large())
    const client = slowClient()
    const done = ways[way](client.outlet)
    let before = { events: 0, bytes: 0 }
    const turns: number[] = []
    while (client.written().events < 805) {
      await vi.waitFor(() => expect(client.written().events).toBeGreaterThan(before.events), { interval: 1 })
      const now = client.written()
      turns.push(now.events - before.events)
      expect(now.events - before.events).toBeLessThanOrEqual(256)
      expect(now.bytes - before.bytes).toBeLessThanOrEqual(2_000_000)
      // Turns enough for the next pages, were they not waiting.
      for (let turn = 0; turn < 20; turn++) await setImmediate()
      expect(client.written()).toEqual(now)
      before = now
      client.take()
    }
    expect(turns.length).toBeGreaterThan(4)
    client.leave()
    await done
  },
)
