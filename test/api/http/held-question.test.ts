import { once } from 'node:events'
import { connect } from 'node:net'
import fastify, { type FastifyReply, type FastifyRequest } from 'fastify'
import { expect, it, onTestFinished } from 'vitest'
import { holdQuestion } from '#src/api/http/held-question.ts'
import { turns } from '../../fakes/clock.ts'

/** A server, and a client of it that asks these on one connection and reads nothing. */
const asking = async (
  paths: readonly string[],
  onRequest: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>,
) => {
  const app = fastify({ forceCloseConnections: true })
  app.get('/*', async (request, reply) => onRequest(request, reply))
  onTestFinished(() => app.close())
  const { port } = new URL(await app.listen({ host: '127.0.0.1', port: 0 }))
  const client = connect(Number(port), '127.0.0.1').pause()
  onTestFinished(() => void client.destroy())
  client.write(paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`).join(''))
  return client
}

/** Resolves to whether the question was answered, once it is over. */
const held = async (request: FastifyRequest, reply: FastifyReply): Promise<boolean> => {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  await holdQuestion(
    {
      begin: async (_, done) => {
        void done.then(resolve)
        return undefined
      },
    },
    request,
    reply,
  )
  return promise
}

it('a question is over once it was answered', async () => {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  await asking(['/'], async (request, reply) => {
    void held(request, reply).then(resolve)
    return 'answer'
  })
  expect(await promise).toBe(true)
})

it('a question is over when its client has left before it is held', async () => {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const client = await asking(['/'], async (request, reply) => {
    const left = once(request.raw.socket, 'close')
    client.destroy()
    await left
    await turns()
    resolve(held(request, reply))
  })
  expect(await promise).toBe(false)
})

it('a question is over when its client leaves while its answer waits behind another', async () => {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const client = await asking(['/first', '/second'], async (request, reply) => {
    if (request.url === '/first') return new Promise(() => {})
    resolve(held(request, reply))
    client.destroy()
    return new Promise(() => {})
  })
  expect(await promise).toBe(false)
})
