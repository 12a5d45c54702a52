import { isRight } from 'fp-ts/lib/Either.js'
import { expect, it } from 'vitest'
import { accessStream } from '#src/domain/indexing/access/rule.ts'
import { changer } from '../../infra/capture-index/lines.ts'
import { startServer } from '../server.ts'

const lineAt = (i: number, key = 'org,example)/') =>
  `${key} ${20_260_101_000_000 + i} http://example.org/ text/html 200 DIGEST - - 100 ${i} crawl.warc.gz`

it('indexing C2: a rule that is set holds for the next request, of every kind, as of the past, too', async () => {
  const { get, system } = await startServer()
  await changer(system.adapters.indexing.captureIndex()).publish('main/one', [
    lineAt(0),
    lineAt(1),
    lineAt(2, 'org,other)/'),
  ])
  const cdx = '/cdx?url=http://example.org/'
  expect((await get(cdx)).text).toContain(lineAt(0))
  const change = async (type: string, data: object) => {
    const at = '2026-01-31T12:00:00.000Z'
    const metadata = { actor: 'ada', schema: 1 }
    const id = crypto.randomUUID()
    const event = { id, type, data: { ...data, reason: 'court order', at }, metadata }
    const done = await system.eventStore.append(accessStream('takedown'), 'any', [event] as never)()
    expect(isRight(done)).toBe(true)
  }
  await change('AccessRuleSet', { policy: 'deny', match: 'host', url: 'example.org' })
  for (const more of [
    '',
    '&closest=20260101&sort=closest',
    '&dialect=pywb',
    '&asOf=2999-01-01',
    '&matchType=domain',
  ])
    expect((await get(`${cdx}${more}`)).text).not.toContain('org,example)')
  // As where there is nothing.
  expect((await get(`${cdx}&dialect=ia&showNumPages=true`)).text).toBe('1\n')
  expect((await get('/cdx?q=url:http://example.org/')).text).not.toContain('<result>')
  expect((await get('/cdx?url=http://other.org/')).text).toContain('org,other)')
  expect((await get('/api/v1/indexing/access')).body).toMatchObject({ rules: [{ rule: 'takedown' }] })
  await change('AccessRuleRemoved', {})
  expect((await get(cdx)).text).toContain(lineAt(1))
})
