import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { createEzidMinter } from '#infra/minter/ezid.ts'
import { type Asked, ingestWorld, testServer, until } from './ingest-world.ts'

const login = { username: 'ada', password: 'secret' }
const success = ({ url }: Asked) => `success: ${decodeURIComponent(url.split('?')[0]!.slice('/id/'.length))}`

describe('EZID', () => {
  it('creates an identifier by its name, once more where the answer was lost', async () => {
    const server = await testServer((asked, response) => {
      if (server.asked.length === 1) response.destroy()
      else response.writeHead(201).end(success(asked))
    })
    const minter = createEzidMinter({ server: server.address, ...login, pauseMillis: 1 })
    const citation = { who: 'Ada\nBob 100%', what: 'Letters', owner: 'letters' }
    const registered = await minter.register('ark:/99999/fk4abc', citation, new AbortController().signal)()
    expect(registered).toMatchObject({ _tag: 'Right' })
    expect(server.asked).toHaveLength(2)
    expect(server.asked[0]).toMatchObject({
      method: 'PUT',
      url: '/id/ark:/99999/fk4abc?update_if_exists=yes',
      body: '_profile: erc\nerc.who: Ada%0ABob 100%25\nerc.what: Letters\nerc.when: (:unas)\nfonds.owner: letters\n',
    })
    expect(server.asked[1]!.body).toBe(server.asked[0]!.body)
    expect(server.asked[0]!.headers.authorization).toBe(
      `Basic ${Buffer.from('ada:secret').toString('base64')}`,
    )
  })

  it.each([
    ['a refusal is not tried again', 400, 'error: bad request - no such shoulder', 1, 'Refused'],
    ['an outage is, so many times', 503, 'error: system is down', 3, 'Unavailable'],
  ])('%s', async (_, status, says, times, kind) => {
    const server = await testServer((_, response) => void response.writeHead(status).end(says))
    const minter = createEzidMinter({ server: server.address, ...login, pauseMillis: 1 })
    const registered = await minter.register('ark:/1/x', { owner: 'x' }, new AbortController().signal)()
    expect(registered).toMatchObject({ left: { kind, reason: `EZID answered ${status}: ${says}` } })
    expect(server.asked).toHaveLength(times)
  })
})

it('an answer without an end is read no further than is wanted of it, packed or not', async () => {
  const server = await testServer((asked, response) => {
    const text = `${success(asked)}\n${' '.repeat(100_000)}`
    const isPacked = asked.url.includes('packed')
    response.writeHead(201, isPacked ? { 'content-encoding': 'gzip' } : {})
    const body = isPacked ? gzipSync(text) : text
    // It is never ended.
    response.write(body)
  })
  const minter = createEzidMinter({ server: server.address, ...login })
  for (const ark of ['ark:/1/plain', 'ark:/1/packed'])
    expect(await minter.register(ark, { owner: 'x' }, new AbortController().signal)()).toMatchObject({
      _tag: 'Right',
    })
})

it('an identifier that could not be registered stays the job’s own: resumed, it mints no other one (X14)', async () => {
  let isUp = false
  const server = await testServer((asked, response) =>
    isUp
      ? void response.writeHead(201).end(success(asked))
      : void response.writeHead(401).end('error: unauthorized'),
  )
  const world = await ingestWorld({ ezidServer: server.address, ezidUsername: 'ada', ezidPassword: 'secret' })
  const id = await world.submit({ payload: { url: await world.file('a.txt', 'A'), type: 'file' } })
  expect(await world.ended(id)).toMatchObject({ state: 'failed' })
  const [failed] = world.jobsOf(id)
  expect(failed).toMatchObject({ failedIn: 'processing', permanent: 0 })
  expect(failed!.message).toContain('EZID answered 401')
  isUp = true
  await world.resume(failed!.job)
  const job = await until('the job is completed', () =>
    world.jobsOf(id).find(({ state }) => state === 'completed'),
  )
  const asked = new Set(server.asked.map(({ url }) => url))
  expect([...asked]).toEqual([`/id/${job.ark}?update_if_exists=yes`])
  expect(world.system.viewStore.query('ingest-objects', {})).toHaveLength(1)
})
