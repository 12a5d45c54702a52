import type { AddressInfo } from 'node:net'
import { left, right } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { describe, expect, it } from 'vitest'
import type { AddressAnswer, AddressRequest } from '../../../src/workflows/http-address.ts'
import { httpAddress } from '../../../src/workflows/http-address.ts'
import { emptyWorkflow } from '../../../src/workflows/workflow.ts'
import { until } from '../../fakes/clock.ts'
import { startServer } from '../server.ts'

const named = { operationId: 'lookUp', summary: 'A sentence.', description: 'Another one.' }
const plain = (body: AddressAnswer['body']) => right({ status: 200, contentType: 'text/plain', body })

const serverOf = (
  address: Partial<Parameters<typeof httpAddress>[0]> & Pick<Parameters<typeof httpAddress>[0], 'answer'>,
  settings = {},
) => {
  const whole = httpAddress({
    ...named,
    method: 'get',
    path: '/look/{name}',
    parameters: [
      { name: 'name', in: 'path', description: 'A name.', codec: t.string },
      { name: 'page', in: 'query', description: 'A page.', codec: t.string },
    ],
    responses: { 200: { description: 'Lines.', contentTypes: ['text/plain'] } },
    refusals: { 'not-there': { status: 404, description: 'There is none.' } },
    ...address,
  })
  const workflow = { ...emptyWorkflow, name: 'looking', description: 'Looks.', addresses: [whole] }
  return startServer({ settings, replace: () => ({ workflows: [workflow] }) })
}

describe('an address that a workflow declares', () => {
  it('is answered with its parameters and all that stands in its query', async () => {
    const asked: AddressRequest[] = []
    const { get, document } = await serverOf({
      ignoresUnknown: true,
      answer: async (_, request) => {
        asked.push(request)
        return plain('two lines\n')
      },
    })
    expect(await get('/look/a?page=1&other=x&other=y%20z')).toMatchObject({
      status: 200,
      text: 'two lines\n',
      headers: { 'content-type': 'text/plain; charset=utf-8', etag: expect.any(String) },
    })
    expect(asked[0]?.parameters).toEqual({ name: 'a', page: '1' })
    expect(asked[0]?.query.getAll('other')).toEqual(['x', 'y z'])
    expect(document.paths['/look/{name}'].get.operationId).toBe('lookUp')
  })

  it('refuses parameters that it does not know, unless it ignores them', async () => {
    const { get } = await serverOf({ answer: async () => plain('') })
    expect(await get('/look/a?pgae=1')).toMatchObject({ status: 400, body: { code: 'unknown-parameter' } })
  })

  it('says no as all routes do', async () => {
    const refusal = { code: 'not-there', message: 'there is no b; look for a', path: 'name' }
    const { get } = await serverOf({ answer: async () => left(refusal) })
    expect(await get('/look/b')).toMatchObject({
      status: 404,
      body: { code: 'not-there', detail: 'there is no b; look for a', path: 'name' },
    })
  })

  it('needs the token', async () => {
    const token = 'a token of some length'
    const { request, get } = await serverOf({ answer: async () => plain('') }, { token })
    expect(await get('/look/a')).toMatchObject({ status: 401 })
    expect(await request({ url: '/look/a', headers: { authorization: `Bearer ${token}` } })).toMatchObject({
      status: 200,
    })
  })

  it('gives bytes as they are', async () => {
    const { app } = await serverOf({ answer: async () => plain(Buffer.from([0, 255, 10])) })
    expect((await app.inject('/look/a')).rawPayload).toEqual(Buffer.from([0, 255, 10]))
  })

  it('takes a body of any length as it comes in, whatever type it has or has not', async () => {
    const { app, request } = await serverOf({
      method: 'post',
      body: { description: 'Lines.', contentTypes: ['text/plain'] },
      answer: async (_, { body }) => {
        let bytes = 0
        for await (const part of body) bytes += part.length
        return plain(`${bytes}`)
      },
    })
    const payload = Buffer.alloc(11 * 1024 * 1024)
    expect(await request({ method: 'POST', url: '/look/a', payload })).toMatchObject({
      text: `${payload.length}`,
    })
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    const answered = await app.inject({ method: 'POST', url: '/look/a', payload: 'x=y', headers: form })
    expect(answered.body).toBe('3')
  })

  it('is read as fast as the client takes it, and ended when the client goes away', async () => {
    let given = 0
    let isEnded = false
    let signal: AbortSignal | undefined
    const { app } = await serverOf({
      answer: async (_, request) => {
        signal = request.signal
        return plain(
          (async function* () {
            try {
              for (;;) {
                given++
                yield Buffer.alloc(64 * 1024)
              }
            } finally {
              isEnded = true
            }
          })(),
        )
      },
    })
    await app.listen({ host: '127.0.0.1', port: 0 })
    const { port } = app.server.address() as AddressInfo
    const leaving = new AbortController()
    const response = await fetch(`http://127.0.0.1:${port}/look/a`, { signal: leaving.signal })
    const reader = response.body?.getReader()
    await reader?.read()
    let before = -1
    await until(() => {
      const rests = before === given
      before = given
      return rests
    })
    expect(given).toBeLessThan(1000)
    expect(signal?.aborted).toBe(false)
    leaving.abort()
    await reader?.closed.catch(() => undefined)
    await until(() => isEnded)
    expect(signal?.aborted).toBe(true)
  })
})
