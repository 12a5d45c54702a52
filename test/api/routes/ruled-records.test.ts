import { formatLine } from '@fonds/cdx'
import { isRight } from 'fp-ts/lib/Either.js'
import { expect, it } from 'vitest'
import type { System } from '#src/app/system.ts'
import { type AccessTerms, accessStream } from '#src/domain/indexing/access/rule.ts'
import { packed, warcinfo, warcRecord } from '../../../packages/warc/test/make-warc.ts'
import { changer } from '../../infra/capture-index/lines.ts'
import { indexingWorld } from '../../processors/indexing/world.ts'
import { useReader } from '../../workers/indexing/read-bytes.ts'
import { startServer } from '../server.ts'

const url = 'http://example.com/'
const name = 'made.warc.gz'
const publicMessage = 'Taken down by order of a court.'

/** A server with a WARC file of a response of 2020 and a revisit of it of 2021, both in the index. */
const archive = async () => {
  const { path: location, readBytes } = useReader()
  const reading = await readBytes(
    packed(
      warcinfo(),
      warcRecord({ url, date: '2020-06-01T00:00:00Z' }),
      warcRecord({
        ...{ url, type: 'revisit', date: '2021-06-01T00:00:00Z' },
        fields: { 'WARC-Refers-To-Target-URI': url, 'WARC-Refers-To-Date': '2020-06-01T00:00:00Z' },
        block: 'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n',
      }),
    ),
  )
  if (!('captures' in reading)) throw new Error(reading.reason)
  const world = indexingWorld()
  const { get, system } = await startServer({ replace: () => ({ viewStore: world.viewStore }) })
  const policy = world.policy
  await world.on({ repository: 'main', name }, { type: 'Sight', place: { location }, policy })
  await world.fold()
  const lines = reading.captures.map((capture) => formatLine('cdx-11', capture))
  await changer(system.adapters.indexing.captureIndex()).publish(`main/${name}`, lines)
  const record = (year: string) => {
    const capture = reading.captures.find(({ time }) => time.startsWith(year))
    if (!capture) throw new Error(`no capture of ${year}`)
    const { offset, length } = capture
    return get(`/warc/${name}`, { range: `bytes=${offset}-${offset + length - 1}` })
  }
  return { get, record, rule: (terms: Partial<AccessTerms>) => setRule(system, terms) }
}

const setRule = async ({ eventStore }: System, terms: Partial<AccessTerms>) => {
  const data = {
    ...{ policy: 'deny', match: 'exact', url },
    ...terms,
    reason: 'r',
    at: '2026-01-31T12:00:00.000Z',
  }
  const metadata = { actor: 'ada', causationId: 'cause', correlationId: 'cause', schema: 1 }
  const event = { id: crypto.randomUUID(), type: 'AccessRuleSet', data, metadata }
  expect(await eventStore.append(accessStream('takedown'), 'any', [event])()).toSatisfy(isRight)
}

it('indexing C2 a revisit is served, and the record that it repeats is refused with it alone', async () => {
  const { get, record, rule } = await archive()
  expect((await get(`/warc/${name}`)).status).toBe(200)
  await rule({ capturedTo: '2020' })
  expect((await record('2020')).body).toMatchObject({ status: 404, code: 'no-such-record' })
  expect((await record('2021')).status).toBe(206)
  expect((await get(`/warc/${name}`)).status).toBe(404)
  expect((await get(`/cdx?url=${url}`)).text).toMatch(
    /^com,example\)\/ 2021\d+ \S+ warc\/revisit \S+ \S+ - - \d+ \d+ \S+\n$/,
  )
})

it('indexing C13 a rule with a public message says it where its record is asked for, and nowhere else', async () => {
  const { get, record, rule } = await archive()
  await rule({ capturedFrom: '2021', publicMessage })
  expect((await record('2021')).body).toMatchObject({
    status: 451,
    code: 'refused-record',
    detail: publicMessage,
  })
  expect((await record('2020')).status).toBe(206)
  expect((await get(`/cdx?url=${url}`)).text).not.toContain('2021')
  expect((await get(`/api/v1/indexing/why?of=${url}`)).body.reasons).toContain(publicMessage)
})

it('indexing C14 a rule holds in its period alone; the whole file is served while none denies', async () => {
  const { get, record, rule } = await archive()
  await rule({ accessedTo: '2025' })
  expect((await record('2020')).status).toBe(206)
  expect((await get(`/warc/${name}`)).status).toBe(200)
  expect((await get(`/api/v1/indexing/access?url=${url}&captured=2020`)).body).toMatchObject({
    rules: [{ rule: 'takedown', holds: false, decides: false, since: '2026-01-31T12:00:00.000Z' }],
  })
  await rule({ accessedFrom: '2025' })
  expect((await record('2020')).status).toBe(404)
  expect((await get(`/api/v1/indexing/access?url=${url}&captured=2020`)).body).toMatchObject({
    rules: [{ rule: 'takedown', holds: true, decides: true }],
  })
  expect((await get('/api/v1/indexing/access?url=http://other.example/')).body).toEqual({ rules: [] })
})
