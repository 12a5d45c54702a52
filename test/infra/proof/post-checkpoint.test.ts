import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, it, onTestFinished } from 'vitest'
import { postCheckpoint } from '../../../infra/proof/post-checkpoint.ts'
import { UnavailableError } from '../../../src/async/unavailable.ts'

const serve = async (listener: RequestListener): Promise<string> => {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/add-checkpoint`
}
const signal = () => new AbortController().signal

it('posts a text, and gives any status with its text', async () => {
  const url = await serve(async (request, response) => {
    response.statusCode = request.method === 'POST' ? 409 : 400
    response.end(`${await text(request)}7\n`)
  })
  expect(await postCheckpoint(url, 'old 0\n', signal())).toEqual({ status: 409, body: 'old 0\n7\n' })
})

it('follows nobody elsewhere, takes no endless answer, and says why nobody answers', async () => {
  const elsewhere = await serve((_, response) =>
    response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(),
  )
  const endless = await serve((_, response) => {
    const more = setInterval(() => response.write('x'.repeat(65_536)), 1)
    response.on('close', () => clearInterval(more))
  })
  for (const url of [elsewhere, endless])
    await expect(postCheckpoint(url, '', signal())).rejects.toThrow(UnavailableError)
  await expect(postCheckpoint('http://user:secret@127.0.0.1:1/x', '', signal())).rejects.toThrow(
    'the witness at http://127.0.0.1:1 does not answer: no login is taken in its address',
  )
  await expect(postCheckpoint('http://127.0.0.1:1/x', '', signal())).rejects.toThrow(
    /the witness at http:\/\/127\.0\.0\.1:1 does not answer: /,
  )
})
