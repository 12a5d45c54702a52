import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { allSent, herbarium, writeLog } from '../fakes/matching-log.ts'
import { type Catalogue, catalogue } from '../projections/matching/catalogue.ts'
import { svgFault } from '../projections/matching/questions/xml.ts'
import { useFonds } from './fonds.ts'

const fonds = useFonds({ keepsHistory: true })
const write = (log: Catalogue = herbarium()) => fonds.withSystem((system) => writeLog(system, log))
const ask = (...argv: string[]) => fonds.run(['matching', ...argv])
const read = (...argv: string[]) =>
  fonds.run(['matching', ...argv], { terminal: 120, env: { NO_COLOR: '1' } })

describe('fonds matching graph', () => {
  test('lists works and links: for people, for programs', async () => {
    await write()
    const { code, out } = await read('graph', 'scan')
    expect(code).toBe(0)
    expect(out).toMatch(/^3 works, last changed \S+, in generation 1; shown as herbal “A herbal”\n/)
    expect(out).toMatch(/work +title +source +state +document +redirects to\n/)
    expect(out).toMatch(/plate +Gentian +pictures +visible +redirect +herbal\n/)
    expect(out).toMatch(/scan +herbal +digitised from +2026/)
    const { rows } = await ask('graph', 'scan')
    expect(rows).toMatchObject([
      { component: 'herbal', size: 3, links: [{ from: 'plate' }, { from: 'scan' }] },
    ])
  })

  test('says which links do not count, and what is left out', async () => {
    await write()
    expect((await read('graph', 'moss')).out).toMatch(
      /gone +moss +same as +2026-\S{14}Z +not counted: an end is deleted/,
    )
    expect((await read('graph', 'scan', '--most', '2')).out).toContain('1 more are not listed')
    expect((await ask('graph', 'scan', '--most', '0')).code).toBe(2)
    expect((await read('graph', 'gone')).out).toMatch(
      /^1 work, last changed \S+, in generation 1; not shown\n/,
    )
  })

  test('draws: to a file by its name, to a pipe', async () => {
    await write()
    const file = join(fonds.folder, 'graph.svg')
    const drawn = await ask('graph', 'scan', '--output', file)
    expect([drawn.code, drawn.out]).toEqual([0, ''])
    expect(drawn.err).toContain('written to')
    expect(svgFault(readFileSync(file, 'utf8'))).toBe(undefined)
    const piped = await ask('graph', 'scan', '--format', 'svg')
    expect(piped.out).toBe(readFileSync(file, 'utf8'))
    const onScreen = await read('graph', 'scan', '--format', 'svg')
    expect([onScreen.code, onScreen.out]).toEqual([2, ''])
    expect(onScreen.err).toContain('--output graph.svg')
    expect((await ask('graph', 'scan', '--format', 'dot')).out).toMatch(/^digraph matching/)
    const other = join(fonds.folder, 'graph.png')
    const unknown = await ask('graph', 'scan', '--output', other)
    expect([unknown.code, existsSync(other)]).toEqual([2, false])
    expect(unknown.err).toContain('.svg')
  })

  test('shows the past', async () => {
    await write()
    const then = await ask('graph', 'fern', '--as-of', '12')
    expect(then.rows).toMatchObject([{ size: 4 }])
    expect((await ask('graph', 'fern')).rows).toMatchObject([{ size: 1 }])
    expect((await ask('graph', 'fern', '--as-of', 'noon')).code).toBe(2)
    const before = await ask('graph', 'fern', '--as-of', '2020-01-01T00:00:00Z')
    expect(before.code).toBe(1)
    expect(before.err).toContain('as of 2020-01-01T00:00:00Z: nothing is known of fern')
  })

  test('of what is not there: 1, with what may be meant', async () => {
    const log = herbarium()
    log.say('new')
    await write(log)
    const { code, err } = await ask('graph', 'herbel')
    expect(code).toBe(1)
    expect(err).toContain('nothing is known of herbel')
    expect(err).toContain('did you mean herbal?')
    expect((await ask('graph', 'new')).err).toContain('new is in no graph yet')
    expect((await ask('graph', 'scan', '--generation', '3')).err).toContain('there is no generation 3')
  })
})

describe('fonds matching search', () => {
  test('takes several words as they are typed, quoted or not', async () => {
    await write()
    const found = async (...words: string[]) =>
      (await ask('search', ...words)).rows.map(({ work }: { work?: unknown }) => work)
    expect(await found('herbal', 'a')).toEqual(['herbal'])
    expect(await found('herbal a')).toEqual(['herbal'])
    expect(await found('herbal', 'gentian')).toEqual([])
    expect((await ask('search')).code).toBe(2)
  })
})

describe('fonds matching why', () => {
  test('tells the way and the links that alone hold them together', async () => {
    await write()
    const { code, out } = await read('why', 'plate', 'herbal')
    expect(code).toBe(0)
    const lines = out.split('\n')
    expect(lines[0]).toMatch(/^plate “Gentian” and herbal “A herbal” are one, since 2026-/)
    expect(lines[1]).toMatch(/^ {2}plate → scan: picture of \(stated by plate since 2026-/)
    expect(lines[2]).toMatch(/^ {2}scan → herbal: digitised from \(stated by scan since 2026-/)
    expect(lines[3]).toBe('Without the link plate → scan (picture of) they would part.')
    const { rows } = await ask('why', 'plate', 'herbal')
    expect(rows).toMatchObject([{ kind: 'together', parting: [{ from: 'plate' }, { from: 'scan' }] }])
  })

  test('tells since when they are not one', async () => {
    await write()
    const { out } = await read('why', 'fern', 'herbal')
    expect(out).toMatch(
      /^fern “Ferns” and herbal “A herbal” are not one\.\nThey were until 2026-\S+: herbal no longer names fern\.\n$/,
    )
    expect((await read('why', 'fern', 'moss')).out).toContain('They never were.')
    const { rows } = await ask('why', 'fern', 'herbal', '--as-of', '12')
    expect(rows).toMatchObject([{ kind: 'together' }])
  })
})

describe('fonds matching history and what-if', () => {
  test('joins and splits with their causes', async () => {
    await write()
    const { out } = await read('history', 'fern')
    expect(out).toMatch(/^fern “Ferns”\n2026-\S+ {2}came, with 3 others\n {2}fern was described\n/)
    expect(out).toMatch(/left, and is alone\n {2}herbal “A herbal” no longer names fern\n$/)
    expect((await read('history', 'herbal')).out).toMatch(
      /1 work left: fern; 3 works then\n {2}herbal no longer names fern\n$/,
    )
    const { rows } = await ask('history', 'fern')
    expect(rows.map(({ what }) => what)).toEqual(['first', 'left'])
    expect(rows[0]).not.toHaveProperty('happened')
  })

  test('what a link would change', async () => {
    await write()
    const drop = await read('what-if', 'drop', 'plate', 'scan')
    expect(drop.out).toContain('Without the link plate → scan, they part: 2 graphs instead of 1:')
    expect(drop.out).toContain('  herbal, scan; shown as herbal\n  plate; shown as plate\n')
    expect(drop.out).toContain('1 work would be shown as another:\n  plate: ')
    const add = await read('what-if', 'add', 'fern', 'moss')
    expect(add.out).toContain('With the link fern → moss, they become one: 1 graph instead of 2:')
    expect((await read('what-if', 'add', 'plate', 'scan')).out).toBe(
      'plate “Gentian” names scan already: nothing would change.\n',
    )
    expect((await read('what-if', 'drop', 'scan', 'plate')).out).toBe(
      'scan does not name plate “Gentian”: there is no such link to drop.\n',
    )
    const again = await read('what-if', 'add', 'plate', 'herbal')
    expect(again.out).toMatch(/the same works stay together:[\s\S]*No work would be shown as another\./)
    expect((await ask('what-if', 'turn', 'a', 'b')).code).toBe(2)
    expect((await ask('what-if', 'drop', 'nix', 'b')).code).toBe(1)
  })
})

describe('fonds matching stuck, quality, summary', () => {
  test('stuck: 1 when there is anything, with what to do', async () => {
    await write()
    const unsent = await ask('stuck', '--allowed-seconds', '0')
    expect([unsent.code, unsent.err]).toEqual([1, expect.stringContaining('2 things stuck')])
    expect(unsent.rows).toMatchObject([
      {
        what: 'unsent',
        id: 'fern',
        says: expect.stringMatching(/^2 events .*fonds\.matching\.graphs yet/),
      },
      { what: 'unsent', id: 'fern', says: expect.stringMatching(/^10 events .*fonds\.matching\.merged yet/) },
    ])
    expect((await ask('stuck')).rows).toEqual([])
    await fonds.withSystem(allSent)
    const fine = await read('stuck', '--allowed-seconds', '0')
    expect([fine.code, fine.out]).toEqual([0, ''])
    expect(fine.err).toContain('nothing is stuck')
    const more = catalogue()
    more.say('new')
    await write(more)
    const { code, rows, err } = await ask('stuck', '--allowed-seconds', '0')
    expect(code).toBe(1)
    expect(rows).toMatchObject([{ what: 'unmatched', id: 'new' }])
    expect(err).toContain('1 thing stuck')
    const nothingAsked = await ask('stuck', '--limit', '0')
    expect([nothingAsked.code, nothingAsked.out]).toEqual([2, ''])
    expect((await read('stuck', '--allowed-seconds', '0')).out).toMatch(
      /^unmatched {2}new {2}since \S+\n {2}The last.*runs/,
    )
  })

  test('quality: the list', async () => {
    await write()
    const { code, rows } = await ask('quality', '--hub-size', '1')
    expect(code).toBe(0)
    expect(rows).toMatchObject([{ what: 'hub-placeholder', id: 'nobody' }])
    expect((await read('quality')).err).toContain('nothing stands out')
  })

  test('summary: numbers, and whether all is at rest', async () => {
    const empty = await read('summary')
    expect(empty.out).toContain('no work has come in yet')
    expect((await read('generations')).err).toContain('generation 1 is live')
    await write()
    const { out } = await read('summary')
    expect(out).toContain(
      '6 works (4 visible, 1 invisible, 1 deleted), 4 links, 1 id that no source describes',
    )
    expect(out).toContain('4 graphs in generation 1: 3 of 1 work, 1 of 3 works')
    expect(out).toContain('largest graphs:\n  3 works: herbal “A herbal”\n')
    expect(out).toContain('at rest: everything that was accepted can be seen')
    expect((await ask('summary')).rows).toMatchObject([{ components: 4, unmatched: 0 }])
  })
})

describe('M9: fonds matching verify', () => {
  test('says that the graphs are what the records say', async () => {
    await write()
    const { code, out } = await read('verify')
    expect([code, out]).toEqual([0, '4 graphs of 6 works, all equal\n'])
    const { rows } = await ask('verify')
    expect(rows).toEqual([
      { generation: 1, components: 4, works: 6, differences: 0, examples: [], titles: {} },
    ])
  })

  test('leaves out what came after the last change of the graphs', async () => {
    const log = herbarium()
    log.say('new', { links: ['moss'] })
    await write(log)
    expect((await ask('verify')).rows).toMatchObject([{ works: 6, differences: 0 }])
  })

  test('finds a graph that is not what the records say', async () => {
    const log = herbarium()
    log.record('graph-1', {
      type: 'GraphChanged',
      data: {
        version: log.version() + 1,
        timeSent: '2026-01-02T00:00:00.000Z',
        through: String(log.events.length - 1),
        causes: [],
        groups: [
          {
            component: 'fern',
            size: 4,
            piece: 0,
            pieces: 1,
            members: ['fern', 'herbal', 'plate', 'scan'].map((id) => [id, 0]),
            placeholders: [],
          },
        ],
        dropped: [],
      },
    })
    await write(log)
    const { code, out, err } = await read('verify')
    expect(code).toBe(1)
    expect(out).toContain(
      'the records say  herbal “A herbal”, plate “Gentian”, scan\nthe graphs say   fern “Ferns”, herbal, plate, scan\n',
    )
    expect(out).toContain('the records say  fern\nthe graphs say   fern, herbal, plate, scan\n')
    expect(err).toContain('2 graphs of generation 1 not as the records say')
  })
})

test('help shows examples', async () => {
  const { out } = await fonds.run(['matching', 'why', '--help'])
  expect(out).toContain('$ fonds matching why h3xbcs2m jz8d34qd')
  const all = await fonds.run(['matching', '--help'])
  for (const name of ['graph', 'why', 'history', 'what-if', 'stuck', 'verify', 'resend', 'reindex', 'switch'])
    expect(all.out).toContain(`  ${name} `)
})
