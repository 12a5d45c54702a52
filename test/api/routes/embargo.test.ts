import { formatLine } from '@fonds/cdx'
import { describe, expect, it } from 'vitest'
import { DAY, HOUR } from '#src/domain/kernel/time.ts'
import { packed, warcinfo, warcRecord } from '../../../packages/warc/test/make-warc.ts'
import { changer } from '../../infra/capture-index/lines.ts'
import { indexingWorld } from '../../processors/indexing/world.ts'
import { useReader } from '../../workers/indexing/read-bytes.ts'
import { startServer } from '../server.ts'

const url = 'http://example.com/'
const [held, open] = ['held.warc.gz', 'open.warc.gz']
const file = { repository: 'main', name: held }
const who = { actor: 'ada', reason: 'the deposit wants it' }

/** A server with two WARC files of one address, in the index; it is noon of 31 January 2026. */
const archive = async () => {
  const world = indexingWorld()
  const { clock, eventStore, viewStore, policy } = world
  const { get, system } = await startServer({ replace: () => ({ clock, eventStore, viewStore }) })
  const { publish } = changer(system.adapters.indexing.captureIndex())
  const ranges = new Map<string, string>()
  for (const [name, year] of [
    [held, '2020'],
    [open, '2021'],
  ] as const) {
    const { path: location, readBytes } = useReader()
    const reading = await readBytes(packed(warcinfo(), warcRecord({ url, date: `${year}-06-01T00:00:00Z` })))
    if (!('captures' in reading)) throw new Error(reading.reason)
    await world.on({ repository: 'main', name }, { type: 'Sight', place: { location }, policy })
    const lines = reading.captures.map((capture) => formatLine('cdx-11', { ...capture, file: name }))
    await publish(`main/${name}`, lines)
    const [capture] = reading.captures
    if (capture) ranges.set(name, `bytes=${capture.offset}-${capture.offset + capture.length - 1}`)
  }
  await world.fold()
  const on = async (command: object) => {
    await world.on(file, { ...who, ...command })
    await world.fold()
  }
  return {
    get,
    clock,
    record: (name: string, at = '/warc/') => get(`${at}${name}`, { range: ranges.get(name) }),
    setUntil: (until: string) => on({ type: 'SetEmbargo', until }),
    lift: () => on({ type: 'LiftEmbargo' }),
  }
}

const questions = [
  `/cdx?url=${url}`,
  `/cdx?url=${url}&closest=20200601&sort=closest`,
  `/cdx?url=${url}&output=json`,
  `/cdx?url=${url}&dialect=pywb`,
  `/cdx?url=${url}&dialect=ia`,
  `/cdx?url=${url}&matchType=domain`,
  `/cdx?url=${url}&asOf=1000`,
  `/cdx?q=type:urlquery+url:${encodeURIComponent(url)}`,
  `/cdx?q=type:prefixquery+url:${encodeURIComponent(url)}`,
  '/cdx/changes',
  `/api/v1/indexing/captures?url=${url}`,
  '/api/v1/indexing/holdings?by=year',
  '/api/v1/search?text=http://example.com/',
  `/api/v1/indexing/why?of=${url}`,
]

describe('indexing C19 a file under an embargo', () => {
  it('has no capture in any answer until its last day is over', async () => {
    const { get, clock, setUntil } = await archive()
    const seen = async (question: string, accept = '*/*') => {
      const { status, text } = await get(question, { accept })
      expect(status, question).toBe(200)
      return text
    }
    const calendar = () => seen(`/api/v1/indexing/captures?url=${url}`, 'text/html')
    expect(await calendar()).toContain('2020')
    const before = await Promise.all(questions.map((question) => seen(question)))
    for (const [i, text] of before.entries()) expect(text, questions[i]).toContain('2020')
    await setUntil('2026-02-01')
    for (const question of questions) {
      const text = await seen(question)
      expect(text, question).not.toMatch(/2020|held/)
      expect(text, question).toContain('2021')
    }
    expect(await calendar()).not.toMatch(/2020|held/)
    await clock.advance(DAY + 11 * HOUR)
    expect(await seen(questions[0]!)).not.toContain('2020')
    await clock.advance(HOUR)
    for (const question of questions) expect(await seen(question), question).toContain('2020')
    expect(await seen(questions[0]!)).toBe(before[0])
  })

  it('is as if it were not there where its records are asked for, and others are served whole', async () => {
    const { get, record, setUntil, lift } = await archive()
    expect((await record(held)).status).toBe(206)
    await setUntil('2026-02-01')
    const unknown = (await get('/warc/never.warc.gz')).body
    for (const answer of [
      await record(held),
      await record(held, '/warc/main/'),
      await get(`/warc/${held}`),
      await get(`/warc/main/${held}`),
      await get(`/warc/${held.replace('.', '%2E')}`),
    ]) {
      expect(answer.body).toMatchObject({ status: 404, code: 'no-such-file' })
      expect(answer.body.detail).toBe(unknown.detail.replace('never.warc.gz', held))
    }
    expect((await record(open)).status).toBe(206)
    expect((await get(`/warc/${open}`)).status).toBe(200)
    await lift()
    expect((await record(held)).status).toBe(206)
    expect((await get(`/warc/${held}`)).status).toBe(200)
  })

  it('says so itself', async () => {
    const { get, clock, setUntil } = await archive()
    await setUntil('2026-02-01')
    expect((await get(`/api/v1/indexing/why?of=${held}`)).body).toMatchObject({
      embargoUntil: '2026-02-01',
      findable: false,
      reasons: [expect.stringContaining('until 2026-02-01 (UTC), that day included'), expect.anything()],
    })
    const [line] = (await get('/api/v1/indexing/files')).body.files.filter(
      ({ name }: { readonly name: string }) => name === held,
    )
    expect(line).toMatchObject({ embargoUntil: '2026-02-01' })
    await clock.advance(2 * DAY)
    expect((await get(`/api/v1/indexing/why?of=${held}`)).body).toMatchObject({ embargoUntil: null })
  })
})
