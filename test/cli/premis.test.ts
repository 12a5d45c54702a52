import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ReadEvent, readPremis } from '@fonds/premis/read'
import { beforeEach, describe, expect, it } from 'vitest'
import { sealAll } from '../app/proof/sealer.ts'
import { treeIn } from '../app/proof/tree-of-log.ts'
import { contentTopic, lines, recorded, useFonds } from './fonds.ts'

const fonds = useFonds()

const damaged = 'archive/letters/01.txt'

const premis = async (...argv: readonly string[]) => {
  const { code, out, err } = await fonds.run(['premis', ...argv])
  const found = []
  if (out.startsWith('<?xml')) for await (const one of readPremis([Buffer.from(out)])) found.push(one)
  const events = found.filter((one): one is ReadEvent => one.kind === 'event')
  return { code, out, err, events, agents: found.filter((one) => one.kind === 'agent') }
}
const kindOf = ({ type, outcomes }: ReadEvent) => [type, outcomes[0]?.outcome]

describe('fonds premis', () => {
  /** Two files, checked; then one of them is damaged, and checked again. */
  beforeEach(async () => {
    mkdirSync(join(fonds.folder, 'archive/letters'), { recursive: true })
    fonds.file('archive/letters/01.txt', 'Dear Ada,\n')
    fonds.file('archive/letters/02.txt', 'Yours, B.\n')
    const archive = join(fonds.folder, 'archive')
    await fonds.run(['fixity', 'add', archive])
    await fonds.run(['fixity', 'check', 'archive'])
    fonds.file('archive/letters/01.txt', 'Dear Eda,\n')
    await fonds.run(['fixity', 'check', 'archive', '--item', 'letters/01.txt'])
  })

  it('an item: what was recorded, each check with its outcome, the finding', async () => {
    const { code, events, out } = await premis(damaged)
    expect(code).toBe(0)
    expect(events.map(kindOf)).toEqual(
      expect.arrayContaining([
        ['fixity information recording', undefined],
        ['fixity check', 'success'],
        ['fixity check', 'fail'],
        ['fixity finding', 'warning'],
      ]),
    )
    expect(events.every(({ objects }) => objects[0]?.identifier.value === damaged)).toBe(true)
    expect(out).toContain('<premis:size>10</premis:size>')
    expect(out).toContain('<premis:formatNote>The format was not identified.</premis:formatNote>')
  })

  it('each event names Fonds and the actor, and all agents are described once', async () => {
    const { events, agents } = await premis(damaged)
    const named = new Set(events.flatMap((event) => event.agents.map(({ identifier }) => identifier.value)))
    expect(named.has('fonds')).toBe(true)
    expect(events.every((event) => event.agents.length === 2)).toBe(true)
    expect(agents.flatMap(({ identifiers }) => identifiers.map(({ value }) => value)).sort()).toEqual(
      [...named].sort(),
    )
  })

  it('Q119: --leaves gives the place of each sealed event in the tree, and none to others', async () => {
    expect(await premis(damaged, '--leaves')).toMatchObject({
      code: 1,
      err: expect.stringContaining('the log is not sealed yet'),
    })
    const { entries, origin } = (await fonds.withSystem(async ({ eventStore }) => {
      await sealAll(fonds.home, eventStore)
      return treeIn(fonds.home)
    }))!
    await fonds.run(['fixity', 'check', 'archive', '--item', 'letters/01.txt'])
    const { code, out } = await premis(damaged, '--leaves')
    expect(code).toBe(0)
    const events = out.split(/<premis:event[ >]/).slice(1)
    const factOf = (event: string, name: string) =>
      new RegExp(`<own:${name}>(.*)</own:${name}>`).exec(event)?.[1]
    const sealed = events.filter((event) => factOf(event, 'leaf') !== undefined)
    expect(sealed.length).toBeGreaterThan(3)
    for (const event of sealed) {
      expect(factOf(event, 'log')).toBe(origin)
      const entry = entries[Number(factOf(event, 'leaf'))]
      expect(entry).toContain(`\n"${factOf(event, 'id')}"\n`)
    }
    expect(sealed.length).toBeLessThan(events.length)
    expect((await premis(damaged)).out).not.toContain('own:leaf')
  })

  it('a store has all of its items, and each event once', async () => {
    const { events, out } = await premis('archive')
    const ids = events.map(({ identifier }) => identifier.value)
    expect(new Set(ids).size).toBe(ids.length)
    const objects = new Set(
      events.flatMap((event) => event.objects.map(({ identifier }) => identifier.value)),
    )
    expect([...objects].sort()).toEqual(['archive', 'archive/letters/01.txt', 'archive/letters/02.txt'])
    for (const value of objects) expect(out.split(`objectIdentifierValue>${value}<`)).toHaveLength(2)
    const own = (await premis(damaged)).events.map(({ identifier }) => identifier.value)
    expect(ids).toEqual(expect.arrayContaining(own))
  })

  it('as of a moment: what was known then, of the thing and of what happened to it', async () => {
    const { rows } = await fonds.run(['history', damaged])
    const failed = rows.find(({ data }) => (data as { outcome?: string }).outcome === 'failure')
    const { events } = await premis(damaged, '--as-of', String(BigInt(String(failed?.position)) - 1n))
    expect(events.map(kindOf)).toContainEqual(['fixity check', 'success'])
    expect(events.map(kindOf)).not.toContainEqual(['fixity check', 'fail'])
    const { events: then } = await premis('archive', '--as-of', String(failed?.recordedAt))
    expect(then.map(kindOf)).toContainEqual(['fixity check', 'fail'])
    const before = await premis(damaged, '--as-of', '2000-01-01T00:00:00Z')
    expect([before.code, before.out]).toEqual([1, ''])
    expect(before.err).toContain('as of 2000-01-01')
  })

  it('as RDF, with addresses of the archive', async () => {
    const { code, out } = await premis(damaged, '--format', 'rdf', '--base', 'https://archive.example/')
    expect(code).toBe(0)
    expect(out).toContain('@base <https://archive.example/> .')
    expect(out).toContain('a <http://id.loc.gov/vocabulary/preservation/eventType/fix> ;')
  })

  it('into a file, which is there once it is whole', async () => {
    const file = join(fonds.folder, 'out.xml')
    const { code, out, err } = await premis(damaged, '--output', file)
    expect([code, out]).toEqual([0, ''])
    expect(err).toContain(`written to ${file}`)
    expect(readFileSync(file, 'utf8')).toBe((await premis(damaged)).out)
    expect(existsSync(`${file}.part`)).toBe(false)
  })

  it('something unknown: what begins like it is suggested', async () => {
    const { code, out, err } = await premis('archive/letters/03.txt')
    expect([code, out]).toEqual([1, ''])
    expect(err).toContain('nothing is known of archive/letters/03.txt')
    expect(err).toContain(damaged)
  })

  it('something of which nothing is exported: where to look', async () => {
    await fonds.withSystem(async ({ eventStore }) => {
      const metadata = { actor: 'a', causationId: 'm', correlationId: 'c', schema: 1 }
      const event = {
        id: '0198c2a4-7d4e-7c3b-9a10-2f6b5d8e1c01',
        type: 'ResearcherUnblocked',
        data: { reason: 'it is well', at: '2026-11-30T12:00:00.000Z' },
        metadata,
      }
      await eventStore.append('researcher-r1', 'none', [event])()
    })
    const { code, out, err } = await premis('r1')
    expect([code, out]).toEqual([1, ''])
    expect(err).toContain('nothing that happened to r1 is a preservation event')
    expect(err).toContain('fonds history r1')
  })
})

it('a store that was never registered has the items that others report', async () => {
  await fonds.run(['produce', contentTopic, '--wait'], { stdin: lines(recorded('a.tif'), recorded('b.tif')) })
  const { code, events } = await premis('main')
  expect(code).toBe(0)
  expect(events.flatMap(({ objects }) => objects.map(({ identifier }) => identifier.value)).sort()).toEqual([
    'main/a.tif',
    'main/b.tif',
  ])
})

describe('wrong use', () => {
  it.each([
    [['--format', 'xml', '--base', 'https://a.example/'], '--base is for --format rdf'],
    [['--format', 'rdf', '--base', 'archive'], '--base "archive" is not an absolute address'],
    [['--format', 'rdf', '--base', 'https://a.example'], 'ends in a slash'],
    [['--format', 'rdf', '--base', 'https://a.example/> .<x/'], '--base'],
    [['--format', 'json'], 'xml, rdf'],
    [['--as-of', 'soon'], '--as-of "soon" is neither a time'],
  ])('%j is refused', async (argv, says) => {
    const { code, err } = await premis(damaged, ...argv)
    expect(code).toBe(2)
    expect(err).toContain(says)
  })
})
