import * as TE from 'fp-ts/lib/TaskEither.js'
import { expect, it } from 'vitest'

import { startServer } from '../server.ts'

const token = 'a token of enough letters'
const readToken = 'another one that may read'
const by = (secret: string) => ({ authorization: `Bearer ${secret}` })
const asleep = { kind: 'Unavailable', reason: 'the broker sleeps' } as const

it('says what doctor says of the process: the copy that nobody made, with what to do, and nothing of what is well', async () => {
  const { get } = await startServer()
  const { status, body } = await get('/api/v1/checks')
  expect(status).toBe(200)
  const of = (check: string) => body.checks.filter((one: { check: string }) => one.check === check)
  expect(of('event store')).toMatchObject([{ status: 'ok', todo: null }])
  expect(of('people')).toMatchObject([{ status: 'ok', says: 'nothing waits for a person', todo: null }])
  expect(of('backup')).toMatchObject([{ status: 'warn', todo: expect.stringContaining('`fonds backup') }])
})

it('a part that does not answer fails on its line, and keeps no other from being checked', async () => {
  const { get } = await startServer({
    replace: ({ broker }) => ({
      broker: { ...broker, topics: () => TE.left(asleep), groups: () => TE.left(asleep) },
    }),
  })
  const { body } = await get('/api/v1/checks')
  const failed = body.checks.filter((one: { status: string }) => one.status === 'fail')
  expect(failed.map((one: { check: string }) => one.check)).toEqual(['broker', 'topics'])
  expect(failed[0].says).toContain('the broker sleeps')
  expect(body.checks.map((one: { check: string }) => one.check)).toContain('backup')
})

it('those who ask at once, or a moment later, get the same answer', async () => {
  let looks = 0
  const { get } = await startServer({
    replace: ({ broker }) => ({
      broker: {
        ...broker,
        topics: () => {
          looks++
          return broker.topics()
        },
      },
    }),
  })
  const answers = await Promise.all([get('/api/v1/checks'), get('/api/v1/checks')])
  const before = looks
  answers.push(await get('/api/v1/checks'))
  expect(new Set(answers.map(({ body }) => body.at)).size).toBe(1)
  expect(looks).toBe(before)
})

it('is for those who administer: what it says names folders and servers', async () => {
  const { get } = await startServer({ settings: { token, readToken } })
  expect((await get('/api/v1/checks', by(readToken))).status).toBe(403)
  expect((await get('/api/v1/checks', by(token))).status).toBe(200)
})
