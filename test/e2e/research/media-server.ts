import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { until } from '../run-fonds.ts'

export interface Served {
  readonly body: Uint8Array
  readonly type?: string
  readonly status?: number
  /** Bytes that are said to come, where that is a lie. */
  readonly length?: number
}

/** Serves media; what is held is not answered, or no further than so many bytes, until it is let go. */
export const serveMedia = async (files: Readonly<Record<string, Served>>) => {
  const held = new Map<string, number>()
  const asked: string[] = []
  const waiting = new Map<string, ServerResponse[]>()

  const answer = (path: string, response: ServerResponse) => {
    if (response.headersSent) {
      response.end(files[path]!.body.subarray(held.get(path)))
      return
    }
    const file = files[path]
    if (!file) {
      response.writeHead(404).end('there is no such file')
      return
    }
    const { body, type = 'audio/wav', status = 200, length = body.length } = file
    response.writeHead(status, { 'content-type': type, 'content-length': length })
    if (length === body.length) response.end(body)
    else response.write(body, () => response.destroy())
  }

  const server = createServer((request, response) => {
    const path = (request.url ?? '/').slice(1)
    asked.push(path)
    response.on('error', () => {})
    const bytes = held.get(path)
    if (bytes === undefined) return answer(path, response)
    waiting.set(path, [...(waiting.get(path) ?? []), response])
    const { body, type = 'audio/wav' } = files[path] ?? { body: new Uint8Array() }
    if (bytes === 0) return
    response.writeHead(200, { 'content-type': type, 'content-length': body.length })
    response.write(body.subarray(0, bytes))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return {
    uri: (path: string) => `http://127.0.0.1:${port}/${path}`,
    hold: (path: string, bytes = 0) => held.set(path, bytes),
    letGo: (path: string) => {
      for (const response of waiting.get(path) ?? []) answer(path, response)
      waiting.delete(path)
      held.delete(path)
    },
    /** How often each was asked for. */
    times: (path: string) => asked.filter((one) => one === path).length,
    isAskedFor: (path: string, times = 1) =>
      until(`${path} is asked for`, () => asked.filter((one) => one === path).length >= times),
  }
}
