import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { follow, toldIn } from '../../dashboard/src/api/follow.ts'

const ends: (() => void)[] = []
afterEach(() => {
  for (const end of ends.splice(0)) end()
})

/** A server that answers each request as told; `resumed`: behind which id each came. */
const serve = async (answer: (response: ServerResponse, request: number) => void) => {
  const resumed: (string | undefined)[] = []
  const server = createServer((request, response) => {
    resumed.push(request.headers['last-event-id']?.toString())
    answer(response, resumed.length)
  }).listen(0)
  ends.push(() => server.close())
  await new Promise((resolve) => server.once('listening', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, resumed }
}

it('a frame is an id and data; comments and pauses are nothing', () => {
  expect(toldIn('id: 7\ndata: {"a":1}')).toEqual([{ id: '7', data: { a: 1 } }])
  expect(toldIn('event: left-out\nid: 9\ndata: 1')).toEqual([{ id: '9', data: 1, type: 'left-out' }])
  expect(toldIn('id: 8')).toEqual([{ id: '8' }])
  expect(toldIn(': still here')).toEqual([])
  expect(toldIn('retry: 2000')).toEqual([])
})

it('a connection that breaks in the middle of an event is taken up behind the last whole one: each comes once', async () => {
  const { url, resumed } = await serve((response, request) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    if (request === 1)
      response.write('id: 1\ndata: 1\n\nid: 2\ndata: 2\n\nid: 3\nda', () => response.destroy())
    else response.write('id: 3\ndata: 3\n\n')
  })
  const leaving = new AbortController()
  ends.push(() => leaving.abort())
  const data: unknown[] = []
  const connections: string[] = []
  void follow((asked) => fetch(url, asked), {
    signal: leaving.signal,
    onTold: (told) => data.push(...told.map((one) => one.data)),
    onConnection: (connection) => connections.push(connection),
  })
  await expect.poll(() => data).toEqual([1, 2, 3])
  expect(resumed).toEqual([undefined, '2'])
  expect(connections).toEqual(['connecting', 'live', 'lost', 'live'])
})
