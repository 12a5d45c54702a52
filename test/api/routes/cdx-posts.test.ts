import { isRight } from 'fp-ts/lib/Either.js'
import { expect, it } from 'vitest'
import { orThrow } from '#src/async/unavailable.ts'
import { postEvents, postsCategory } from '#src/domain/indexing/posts/events.ts'
import { startServer } from '../server.ts'

const line = (n: number, url = 'http://example.org/') =>
  `- ${20_260_101_000_000 + n} ${url} text/html 200 DIGEST - - 100 ${n} crawl-${n}.warc.gz`
const shown = (n: number) => line(n).replace('-', 'org,example)/')
const asked = '/cdx?url=http://example.org/'

const setUp = async (given: Parameters<typeof startServer>[0] = {}) => {
  const server = await startServer(given)
  const send = (url: string, lines: readonly string[], headers = {}) =>
    server.request({
      method: 'POST',
      url,
      payload: lines.join('\n'),
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    })
  const facts = async () => {
    const { eventStore } = server.system
    const { events } = await orThrow(eventStore.readAll(-1n, { categories: [postsCategory] }, 100))
    return events.map((event) => {
      const read = postEvents.read(event)
      if (!isRight(read)) throw new Error(read.left)
      return `${read.right.type} ${read.right.data.lines}`
    })
  }
  return { ...server, send, facts }
}

it('indexing C12 posted lines are found with the answer', async () => {
  const { get, send, facts } = await setUp({ roles: ['reactions', 'workers'] })
  const added = await send('/cdx', [' CDX N b a m s k r M S V g', line(1), line(2), line(3)])
  expect([added.status, added.text]).toEqual([200, 'Added 3 records\n'])
  expect((await get(asked)).text).toBe(`${shown(1)}\n${shown(2)}\n${shown(3)}\n`)
  const deleted = await send('/cdx/delete?wait=false', [line(2), line(9)])
  expect(deleted.text).toMatch(/^Deleted 2 records\n/)
  expect(await facts()).toEqual(['LinesPosted 3', 'LinesDeleted 2'])
  expect((await get(`${asked}&asOf=2999-01-01`)).text).toContain(`${shown(1)}\n`)
  expect((await get(`${asked}&asOf=2020-01-01`)).text).toBe('')
})

it('indexing C11, C12 a post with a bad line is refused whole, or taken without it; the answer says that it is not found yet', async () => {
  const { get, send, facts } = await setUp()
  const packed = await send('/cdx?badLines=skip', [line(1)], { 'content-encoding': 'gzip' })
  expect(packed.body).toMatchObject({ code: 'wrong-encoding', path: 'content-encoding' })
  const refused = await send('/cdx', [line(1), 'bad'])
  expect(refused.status).toBe(400)
  expect(refused.body).toMatchObject({ code: 'bad-line', detail: expect.stringMatching(/^line 2: /) })
  expect(await facts()).toEqual([])
  const taken = await send('/cdx?badLines=skip&wait=false', [line(1), 'bad'])
  expect(taken.status).toBe(202)
  expect(taken.text).toMatch(
    /^Added 1 records\nSkipped 1 bad line, the first: line 2: .*\nIt holds in the index as soon as/,
  )
  expect((await get(asked)).text).toBe('')
  expect(await facts()).toEqual(['LinesPosted 1'])
  expect((await send('/cdx', ['', ' CDX N b a m s k r M S V g'])).text).toBe('Added 0 records\n')
  expect(await facts()).toHaveLength(1)
  expect((await send('/cdx/delete', [line(1)], { origin: 'http://elsewhere.example' })).status).toBe(403)
})

it('a post needs the token where one is set', async () => {
  const token = 'a-token-of-some-length'
  const closed = await setUp({ settings: { token } })
  expect((await closed.send('/cdx', [line(1)])).status).toBe(401)
  const { status } = await closed.send('/cdx?wait=false', [line(1)], { authorization: `Bearer ${token}` })
  expect(status).toBe(202)
})
