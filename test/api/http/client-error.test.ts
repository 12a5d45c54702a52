import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { connect } from 'node:net'
import { expect, it } from 'vitest'
import { startServer } from '../server.ts'

/** The whole answer to these bytes, as head and JSON. */
const answerTo = async (port: number, sent: string) => {
  const socket = connect(port, '127.0.0.1')
  let text = ''
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk
  })
  socket.write(sent)
  await once(socket, 'close')
  const [head = '', body = ''] = text.split('\r\n\r\n')
  return { head, body: JSON.parse(body) }
}

it('what is no request, or has too large a head, is answered with a problem that says so', async () => {
  const { app } = await startServer()
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo
  for (const [sent, status, code, says] of [
    [
      `GET /healthz HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(70_000)}\r\n\r\n`,
      431,
      'headers-too-large',
      /65536/,
    ],
    [
      `GET /healthz?where=${'x'.repeat(2_000_000)} HTTP/1.1\r\nHost: a\r\n\r\n`,
      431,
      'headers-too-large',
      /./,
    ],
    ['this is no HTTP\r\n\r\n', 400, 'bad-request', /not valid HTTP/],
  ] as const) {
    const { head, body } = await answerTo(port, sent)
    expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
    expect(head).toContain('Content-Type: application/problem+json')
    expect(body).toMatchObject({ type: `urn:fonds:problem:${code}`, status, code })
    expect(body.detail).toMatch(says)
  }
})
