import { describe, expect, test } from 'vitest'
import type { WorkUpdated } from '../../src/domain/matching/messages.ts'
import { lines, useFonds } from './fonds.ts'

const fonds = useFonds()
const record = (id: string, links: readonly string[] = [], more: Partial<WorkUpdated> = {}): string =>
  JSON.stringify({
    type: 'work.updated',
    data: {
      ...{ id, source: 'library', sourceVersion: 1, sourceModifiedAt: '2026-01-31T12:00:00Z' },
      ...{ state: 'visible', title: `Title of ${id}`, links: links.map((to) => ({ to, reason: 'same as' })) },
      ...more,
    },
  })
const produce = (...all: string[]) =>
  fonds.run(['produce', 'fonds.matching.works', '--wait'], { stdin: lines(...all) })
const by = ['--actor', 'ann', '--reason', 'a test']
const ask = (...argv: string[]) => fonds.run(['matching', ...argv])
const read = (...argv: string[]) =>
  fonds.run(['matching', ...argv], { terminal: 120, env: { NO_COLOR: '1' } })
const titleOf = async (work: string) => {
  const { rows } = await fonds.run(['query', 'matching-merged', '--where', `work=${work}`])
  return rows.map(({ generation, title, to }) => [generation, title ?? to])
}

const given = () =>
  produce(record('a'), record('b', ['a'], { source: 'pictures' }), record('c'), record('d', ['nobody']))

test.each([
  [['resend', 'a']],
  [['drop-link', 'b', 'a']],
  [['hand-over', 'a', 'archive']],
  [['reindex']],
  [['switch', '2']],
  [['drop', '2']],
])('%j says who wants it and why, as with `fonds do`', async (argv) => {
  for (const [some, missing] of [
    [['--reason', 'a test'], '--actor is missing'],
    [['--actor', 'ann', '--reason', ' '], '--reason is missing'],
  ] as const) {
    const { code, err } = await ask(...argv, ...some)
    expect(code).toBe(2)
    expect(err).toContain(missing)
    expect(err).toContain(`fonds matching ${argv[0]} `)
  }
  expect((await fonds.run(['events'])).rows).toEqual([])
})

describe('fonds matching resend', () => {
  test('M18: makes the documents of a graph anew, and is done on return', async () => {
    await given()
    const versions = async () =>
      (await fonds.run(['query', 'matching-merged'])).rows.map(({ version }) => Number(version))
    const before = await versions()
    const { code, rows, err } = await ask('resend', 'b', '--reason', 'its page is empty', '--actor', 'ann')
    expect([code, err]).toEqual([0, ''])
    expect(rows).toMatchObject([{ command: 'matching.resend', outcome: 'done' }])
    const after = await versions()
    expect(after.map((version, i) => version > before[i]!)).toEqual([true, true, false, false])
    const { rows: events } = await fonds.run(['events', '--type', 'ResendRequested'])
    expect(events).toMatchObject([
      { stream: 'work-b', data: { reason: 'its page is empty' }, metadata: { actor: 'ann' } },
    ])
    expect((await ask('stuck', '--allowed-seconds', '0')).code).toBe(0)
    expect((await ask('verify')).rows).toMatchObject([{ components: 3, differences: 0 }])
  })

  test('of a work that nobody knows: 1, with what may be meant', async () => {
    await produce(record('herbal'))
    const { code, err } = await ask('resend', 'herbel', ...by)
    expect(code).toBe(1)
    expect(err).toContain('nothing is known of herbel')
    expect(err).toContain('did you mean herbal?')
  })
})

describe('fonds matching drop-link', () => {
  test('parts what the link held, is no correction of the source, and holds when the same comes again', async () => {
    await given()
    const dropped = await ask('drop-link', 'b', 'a', ...by)
    expect(dropped).toMatchObject({ code: 0, rows: [{ command: 'matching.drop-link', outcome: 'done' }] })
    expect(await titleOf('b')).toEqual([[1, 'Title of b']])
    expect((await ask('quality')).rows).toEqual([])
    await produce(record('b', ['a'], { source: 'pictures' }))
    expect(await titleOf('b')).toEqual([[1, 'Title of b']])
    expect((await ask('verify')).rows).toMatchObject([{ components: 4, differences: 0 }])
  })

  test('of a link that is not stated: 1, and says so', async () => {
    await given()
    const { code, err } = await ask('drop-link', 'a', 'b', ...by)
    expect(code).toBe(1)
    expect(err).toContain('a states no link to b; where b states one, drop it from there')
  })
})

describe('fonds matching hand-over', () => {
  test('another source is refused until a person lets it speak', async () => {
    await given()
    const moved = record('a', [], { source: 'archive', title: 'Moved' })
    await produce(moved)
    expect(await titleOf('a')).toEqual([[1, 'Title of a']])
    expect((await read('hand-over', 'a', 'archive', '--reason', 'moved', '--actor', 'ann')).out).toBe(
      'archive speaks for a from now on\n',
    )
    await produce(moved)
    expect(await titleOf('a')).toEqual([[1, 'Moved']])
    const again = await ask('hand-over', 'a', 'archive', ...by)
    expect(again.code).toBe(1)
    expect(again.err).toContain('archive speaks for a already')
    expect((await ask('hand-over', 'z', 'archive', ...by)).err).toContain('nothing is known of z')
  })
})

describe('fonds matching reindex', () => {
  const rules = () => fonds.file('rules.json', '{"precedence": ["pictures"]}')

  test('builds a generation beside the live one, compares, switches, drops', async () => {
    await given()
    const built = await ask(
      'reindex',
      '--rules',
      rules(),
      '--wait',
      '--reason',
      'pictures first',
      '--actor',
      'ann',
    )
    expect(built.err).toBe('')
    expect(built.code).toBe(0)
    expect(built.rows).toMatchObject([
      { generation: 2, comparison: { first: 1, second: 2, same: 2, different: 2, onlyInSecond: 0 } },
    ])
    expect(await titleOf('a')).toEqual([
      [1, 'Title of a'],
      [2, 'b'],
    ])
    const list = await read('generations')
    expect(list.out).toMatch(/1 +live[\s\S]*2 +ready/)

    const compared = await read('compare-generations')
    expect(compared.out).toContain('generations 1 and 2: 2 the same, 2 different, 0 only in 1, 0 only in 2')
    expect(compared.out).toContain(
      '  a “Title of a”\n    1: shown as “Title of a”, with 1 other\n    2: redirects to b\n',
    )
    expect((await ask('compare-generations', '2', '2')).rows).toMatchObject([{ same: 4, different: 0 }])

    expect((await read('switch', '2', ...by)).out).toBe('readers get generation 2 from now on\n')
    expect((await ask('graph', 'a')).rows).toMatchObject([{ generation: 2, target: 'b' }])
    expect((await ask('verify')).rows).toMatchObject([{ generation: 2, differences: 0 }])
    const live = await read('drop', '2', ...by)
    expect(live.code).toBe(1)
    expect((await read('drop', '1', ...by)).out).toBe('generation 1 is ended\n')
    expect((await ask('verify', '--generation', '1')).err).toContain('generation 1 was dropped')
    expect((await ask('compare-generations')).err).toContain('nothing to compare generation 2 with')
  })

  test('what was before a generation is not denied: an earlier one tells it', async () => {
    await given()
    await produce(record('b', [], { source: 'pictures', sourceVersion: 2 }))
    await ask('reindex', '--wait', ...by)
    await ask('switch', '2', ...by)
    const why = await read('why', 'a', 'b')
    expect(why.out).toMatch(
      /^a “Title of a” and b “Title of b” are not one\.\nGeneration 2 goes back to 2\S+; --generation 1 goes back further\.\n$/,
    )
    expect((await read('why', 'a', 'b', '--generation', '1')).out).toContain('They were until 2')
    expect((await read('why', 'a', 'c', '--generation', '1')).out).toContain('They never were.')
    expect((await read('history', 'b')).err).toContain('--generation 1 goes back further')
    const first = await read('history', 'b', '--generation', '1')
    expect([first.out, first.err]).toEqual([expect.stringContaining('left, and is alone'), ''])
  })

  test('without --wait leaves the work to who runs', async () => {
    await given()
    const { rows } = await ask('reindex', ...by)
    expect(rows).toEqual([{ generation: 2 }])
    expect((await ask('verify', '--generation', '2')).err).toContain('still being built')
    const early = await ask('switch', '2', ...by)
    expect(early.code).toBe(1)
    expect(early.err).toContain('`fonds matching switch 2 --anyway`')
    expect((await read('switch', '2', '--anyway', ...by)).out).toBe('readers get generation 2 from now on\n')
    await ask('switch', '1', ...by)
    await ask('resend', 'a', ...by)
    expect((await ask('generations')).rows).toMatchObject([{ status: 'live' }, { status: 'ready' }])
  })

  test('given again under the same --id begins no other', async () => {
    const id = ['--id', 'pictures-first']
    expect((await ask('reindex', ...id, ...by)).rows).toEqual([{ generation: 2 }])
    const again = await ask('reindex', ...id, ...by)
    expect([again.code, again.out]).toEqual([1, ''])
    expect(again.err).toContain('a generation was begun before, under the same --id')
    expect((await ask('generations')).rows).toHaveLength(2)
  })

  test('of rules that are none: what is wrong with them', async () => {
    const { code, err } = await ask('reindex', '--rules', fonds.file('r.json', '{"precedents": []}'), ...by)
    expect(code).toBe(1)
    expect(err).toContain('rules')
    expect((await ask('reindex', '--rules', fonds.file('r.json', '{'), ...by)).code).toBe(2)
    expect((await ask('reindex', '--rules', '/nowhere.json', ...by)).err).toContain('there is no file')
  })

  test('switch and drop: a generation that is not there', async () => {
    expect((await ask('switch', '7', ...by)).code).toBe(1)
    expect((await ask('drop', '0', ...by)).code).toBe(2)
    const already = await ask('switch', '1', ...by)
    expect([already.code, already.out]).toEqual([1, ''])
    expect(already.err).toContain('1')
  })
})
