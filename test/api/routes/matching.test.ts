import { describe, expect, it } from 'vitest'
import { matching } from '../../../src/projections/matching/projection.ts'
import { catchUp } from '../../../src/projections/runtime/catch-up.ts'
import { herbarium, writeLog } from '../../fakes/matching-log.ts'
import { catalogue } from '../../projections/matching/catalogue.ts'
import { svgFault } from '../../projections/matching/questions/xml.ts'
import { startServer } from '../server.ts'

const url = '/api/v1/matching'

const withLog = async (log = herbarium()) => {
  const server = await startServer({ keepsHistory: true })
  const { system } = server
  await writeLog(system, log)
  const fold = () => catchUp({ ...system, projections: [matching] })
  await fold()
  return { ...server, fold }
}
const ids = (rows: readonly { id: string }[]) => rows.map(({ id }) => id)

describe('the graph of a work', () => {
  it('is JSON, a picture, or DOT, by what is accepted', async () => {
    const { get } = await withLog()
    const json = await get(`${url}/graphs/scan`)
    expect(json.body).toMatchObject({ component: 'herbal', size: 3, generation: 1 })
    expect(ids(json.body.nodes)).toEqual(['herbal', 'plate', 'scan'])
    const svg = await get(`${url}/graphs/scan`, { accept: 'image/svg+xml' })
    expect(svg.headers).toMatchObject({ 'content-type': 'image/svg+xml', vary: 'accept, accept-encoding' })
    expect(svg.headers['content-security-policy']).toContain("default-src 'none'")
    expect(svgFault(svg.text)).toBe(undefined)
    expect(svg.text).toContain('A herbal')
    const dot = await get(`${url}/graphs/scan`, { accept: 'text/vnd.graphviz' })
    expect(dot.text).toMatch(/^digraph matching \{/)
    expect(await get(`${url}/graphs/scan`, { accept: 'text/html' })).toMatchObject({
      status: 406,
      body: { code: 'no-such-format' },
    })
  })

  it('is of a time, of so many works, of a generation', async () => {
    const { get } = await withLog()
    const then = await get(`${url}/graphs/fern?asOf=${herbarium().events.length - 10}`)
    expect(ids(then.body.nodes)).toEqual(['fern', 'herbal', 'plate', 'scan'])
    expect(ids((await get(`${url}/graphs/fern`)).body.nodes)).toEqual(['fern'])
    const dot = await get(`${url}/graphs/fern?asOf=12`, { accept: 'text/vnd.graphviz' })
    expect(dot.text).toContain('as of position 12')
    expect((await get(`${url}/graphs/fern?asOf=2020-01-01T00:00:00Z`)).body.detail).toMatch(
      /^as of 2020-01-01T00:00:00\S*Z: nothing is known of fern/,
    )
    expect((await get(`${url}/graphs/scan?most=2`)).body).toMatchObject({ leftOut: 1, size: 3 })
    expect(await get(`${url}/graphs/scan?generation=7`)).toMatchObject({
      status: 404,
      body: { code: 'no-such-generation', detail: 'there is no generation 7; there is 1' },
    })
    expect(await get(`${url}/graphs/scan?most=0`)).toMatchObject({ status: 400, body: { path: 'most' } })
  })

  it('of hundreds of works is a picture, in which those that are alike are one, and bridges are marked', async () => {
    const log = catalogue()
    for (let i = 0; i < 601; i++) log.say(`w${i}`, { links: i === 0 ? [] : ['w0'] })
    log.flush()
    const { get } = await withLog(log)
    const drawn = async (query: string) => {
      const { status, text } = await get(`${url}/graphs/w1?${query}`, { accept: 'image/svg+xml' })
      expect(status).toBe(200)
      return text
    }
    const whole = await drawn('')
    // `w1` was asked for, `w0` is what they are linked with: the others are one.
    expect(whole).toContain('>599 works<')
    expect(whole).toContain('nothing else joins its ends')
    expect(whole).not.toContain('not drawn')
    expect(await drawn('most=20')).toContain('581 of them not drawn')
    expect((await drawn('radius=1')).match(/class="node"/g)).toHaveLength(2)
  })
})

describe('a work that cannot be asked about', () => {
  it('is unknown, or waits for the matcher', async () => {
    const log = herbarium()
    log.say('new')
    const { get } = await withLog(log)
    for (const path of ['graphs/nix', 'works/nix/history', 'works/nix/document', 'why?a=herbal&b=nix'])
      expect(await get(`${url}/${path}`)).toMatchObject({
        status: 404,
        body: { code: 'no-such-work', detail: 'nothing is known of nix' },
      })
    for (const path of ['graphs/new', 'works/new/document', 'why?a=new&b=herbal'])
      expect((await get(`${url}/${path}`)).body.detail).toContain('new is in no graph yet')
  })

  it('is asked for again where no views are', async () => {
    const { get } = await startServer()
    for (const path of [
      'graphs/a',
      'works/a/document',
      'stuck',
      'summary',
      'generations/compare?first=1&second=2',
    ])
      expect(await get(`${url}/${path}`)).toMatchObject({ status: 503, body: { code: 'view-not-ready' } })
  })

  it('is no id at all', async () => {
    const { get } = await startServer()
    expect(await get(`${url}/graphs/%20a`)).toMatchObject({ status: 400, body: { path: 'work' } })
    expect(await get(`${url}/why?a=a`)).toMatchObject({ status: 400, body: { path: 'b' } })
    expect(await get(`${url}/what-if?change=turn&from=a&to=b`)).toMatchObject({ status: 400 })
  })
})

describe('any id', () => {
  const odd = ['a b/c?d#e', '100% "quoted" <b>', '../..', '書'.repeat(2000), `${'x'.repeat(1999)}é`]

  it('can stand in an address, over the wire', async () => {
    const log = catalogue()
    for (const id of odd) log.say(id, { links: odd })
    log.flush()
    log.merge()
    const { app } = await withLog(log)
    const address = await app.listen({ port: 0, host: '127.0.0.1' })
    for (const id of odd) {
      const path = encodeURIComponent(id)
      const document = await fetch(`${address}${url}/works/${path}/document?follow=true`)
      expect(await document.json()).toMatchObject({ document: { kind: 'merged' } })
      const why = await fetch(`${address}${url}/why?a=${path}&b=${encodeURIComponent(odd[3]!)}`)
      expect(await why.json()).toMatchObject({ kind: 'together' })
    }
  })
})

describe('M19: what readers get', () => {
  it('is the merged work, or where it redirects to; no version in it', async () => {
    const { get } = await withLog()
    const merged = await get(`${url}/works/herbal/document`)
    expect(merged.body).toMatchObject({ work: 'herbal', document: { kind: 'merged', title: 'A herbal' } })
    expect(merged.text).not.toContain('version')
    const redirect = await get(`${url}/works/scan/document`)
    expect(redirect.body).toEqual({
      work: 'scan',
      title: 'A herbal',
      document: { kind: 'redirect', component: 'herbal', to: 'herbal' },
    })
    expect(redirect.headers.link).toBe(`<${url}/works/herbal/document>; rel="canonical"`)
    expect((await get(`${url}/works/scan/document?follow=true`)).body).toEqual(merged.body)
  })

  it('is nothing of what is deleted or hidden', async () => {
    const log = herbarium()
    log.say('dark', { state: 'invisible' })
    log.flush()
    log.merge(['dark'])
    const { get } = await withLog(log)
    expect(await get(`${url}/works/gone/document`)).toMatchObject({ status: 410, body: { code: 'deleted' } })
    expect(await get(`${url}/works/dark/document`)).toMatchObject({
      status: 404,
      body: { code: 'not-visible' },
    })
  })

  it('is of the live generation', async () => {
    const log = herbarium()
    log.startGeneration(2)
    log.list(2)
    log.merge(undefined, 2, { precedence: ['pictures'], neverTarget: [], fields: {}, otherFields: 'first' })
    const server = await withLog(log)
    const titleOf = async () =>
      (await server.get(`${url}/works/herbal/document?follow=true`)).body.document.title
    expect(await titleOf()).toBe('A herbal')
    const more = catalogue()
    more.switchGeneration(1, 2)
    await writeLog(server.system, more)
    await server.fold()
    expect(await titleOf()).toBe('Gentian')
    expect((await server.get(`${url}/generations/compare?first=1&second=2`)).body).toMatchObject({
      first: 1,
      second: 2,
      different: expect.any(Number),
      examples: expect.arrayContaining([expect.objectContaining({ work: 'herbal' })]),
    })
    expect((await server.get(`${url}/generations/compare?first=1&second=9`)).body.code).toBe(
      'no-such-generation',
    )
  })
})

describe('questions', () => {
  it('why, and since when not', async () => {
    const { get } = await withLog()
    const together = (await get(`${url}/why?a=plate&b=herbal`)).body
    expect(together).toMatchObject({ kind: 'together', a: 'plate', b: 'herbal' })
    expect(together.path).toHaveLength(2)
    const apart = (await get(`${url}/why?a=fern&b=herbal`)).body
    expect(apart).toMatchObject({
      kind: 'apart',
      lastTogether: { causes: [{ work: 'herbal', effect: 'unlinked', from: 'herbal', to: 'fern' }] },
    })
    expect((await get(`${url}/why?a=fern&b=herbal&asOf=12`)).body).toMatchObject({ kind: 'together' })
  })

  it('what happened, and what would happen', async () => {
    const { get } = await withLog()
    const { turns } = (await get(`${url}/works/fern/history`)).body
    expect(turns.map(({ what }: { what: string }) => what)).toEqual(['first', 'left'])
    const drop = (await get(`${url}/what-if?change=drop&from=plate&to=scan`)).body
    expect(drop.after).toHaveLength(2)
    const add = (await get(`${url}/what-if?change=add&from=fern&to=moss`)).body
    expect([add.before.length, add.after.length]).toEqual([2, 1])
  })

  it('what is stuck, what is odd, how much there is', async () => {
    const log = herbarium()
    log.say('new')
    log.say('plate', { links: ['scan'], version: 1 }, 'WorkCorrected')
    log.flush()
    const { get } = await withLog(log)
    expect((await get(`${url}/stuck?allowedSeconds=0`)).body.stuck.length).toBeGreaterThan(0)
    expect((await get(`${url}/stuck?allowedSeconds=0&limit=1`)).body.stuck).toHaveLength(1)
    const odd = (await get(`${url}/quality?hubSize=1&alarmSize=3`)).body.quality as { what: string }[]
    expect(odd.map(({ what }) => what)).toEqual(
      expect.arrayContaining(['hub-placeholder', 'oversized', 'corrected']),
    )
    expect((await get(`${url}/summary`)).body).toMatchObject({ works: { deleted: 1 }, placeholders: 1 })
  })
})

it('questions that would hold up all others are refused, and say who answers them', async () => {
  const log = catalogue()
  for (let i = 0; i <= 5000; i++) log.say(`w${i}`, { links: ['w0'] })
  log.flush()
  const { get } = await withLog(log)
  const refusal = {
    status: 422,
    body: {
      code: 'too-large',
      detail:
        'w1 is linked with more than 5,000 works, too many to look through here; `fonds matching` on the command line does',
    },
  }
  expect(await get(`${url}/why?a=w1&b=w2`)).toMatchObject(refusal)
  expect(await get(`${url}/what-if?change=drop&from=w1&to=w0`)).toMatchObject(refusal)
})
