import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Answer = (request: IncomingMessage, response: ServerResponse) => void

export interface MediaServer {
  readonly uri: string
  /** What was asked, in order: `GET bytes=5-`, `GET`. */
  readonly asked: string[]
  /** Answers one request each; the last one all that follow. */
  script(...answers: Answer[]): void
  close(): Promise<void>
}

export const startMediaServer = async (): Promise<MediaServer> => {
  const asked: string[] = []
  let answers: Answer[] = []
  const server = createServer((request, response) => {
    asked.push(
      [request.method, request.headers.range ?? request.headers['if-none-match']].filter(Boolean).join(' '),
    )
    const answer = answers.length > 1 ? answers.shift() : answers[0]
    if (answer) answer(request, response)
    else response.writeHead(404).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    uri: `http://127.0.0.1:${port}/episode.mp3`,
    asked,
    script: (...next) => {
      answers = next
      asked.length = 0
    },
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

export const status =
  (code: number, headers: Record<string, string> = {}, body = ''): Answer =>
  (_, response) =>
    response.writeHead(code, headers).end(body)

/** As a good server does: ranges, validators, conditions. */
export const serve =
  (bytes: Buffer, etag = '"v1"'): Answer =>
  ({ headers }, response) => {
    if (headers['if-none-match'] === etag) return response.writeHead(304, { etag }).end()
    const from = Number(/^bytes=(\d+)-$/.exec(headers.range ?? '')?.[1] ?? 0)
    if (from === 0 || headers['if-range'] !== etag)
      return response.writeHead(200, { etag, 'content-length': bytes.length }).end(bytes)
    if (from >= bytes.length)
      return response.writeHead(416, { 'content-range': `bytes */${bytes.length}` }).end()
    return response
      .writeHead(206, {
        etag,
        'content-length': bytes.length - from,
        'content-range': `bytes ${from}-${bytes.length - 1}/${bytes.length}`,
      })
      .end(bytes.subarray(from))
  }

/**
 * As `serve`, but the line breaks where so many bytes of the whole have come through: once they arrived, for what is still
 * under way then is lost.
 */
export const breakAt =
  (bytes: Buffer, at: number, arrived: (bytes: number) => Promise<void>, etag = '"v1"'): Answer =>
  (request, response) => {
    const end = response.end.bind(response)
    const cut = (body?: unknown) => {
      if (!Buffer.isBuffer(body)) return end()
      const from = bytes.length - body.length
      if (at <= from) response.destroy()
      else response.write(body.subarray(0, at - from), () => void arrived(at).then(() => response.destroy()))
      return response
    }
    response.end = cut as typeof response.end
    serve(bytes, etag)(request, response)
  }
