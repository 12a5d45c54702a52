import { describe, expect, test } from 'vitest'
import { contentTopic, lines, recorded, useFonds } from './fonds.ts'

const fonds = useFonds({ keepsHistory: true })
const record = (...all: string[]) => fonds.run(['produce', contentTopic, '--wait'], { stdin: lines(...all) })
const ask = (...argv: string[]) => fonds.run(['query', 'fixity-items', ...argv])

describe('the views', () => {
  test('are listed with their columns, for programs and for people', async () => {
    const { code, rows } = await fonds.run(['query'])
    expect(code).toBe(0)
    expect(rows.find(({ view }) => view === 'fixity-items')).toMatchObject({
      key: ['store', 'path'],
      columns: { path: 'text', size: 'integer' },
    })
    const { out } = await fonds.run(['query'], { terminal: 80 })
    expect(out).toContain('fixity-items\n  Every item')
    expect(out).toContain('columns: store, path, folder')
  })

  test('one that is not there, with the one that is meant', async () => {
    const { code, err, out } = await fonds.run(['query', 'fixity-item'])
    expect([code, out]).toEqual([1, ''])
    expect(err).toContain('did you mean fixity-items?')
  })
})

describe('rows', () => {
  test('are what was written before, without anybody else at work', async () => {
    await record(recorded('a', 1), recorded('b', 2))
    const { code, rows, err } = await ask()
    expect([code, err]).toEqual([0, ''])
    expect(rows.map(({ path, size, removed }) => [path, size, removed])).toEqual([
      ['a', 1, 0],
      ['b', 2, 0],
    ])
  })

  test('can be narrowed, ordered, counted off and cut to columns', async () => {
    await record(...[3, 1, 4, 2, 5].map((size) => recorded(`f${size}`, size)), recorded('other', 9))
    const { rows } = await ask(
      ...['--where', 'path^=f', '--where', 'size>1', '--order', '-size', '--limit', '2', '--offset', '1'],
      ...['--columns', 'size,path'],
    )
    expect(rows).toEqual([
      { size: 4, path: 'f4' },
      { size: 3, path: 'f3' },
    ])
  })

  test('come in every format', async () => {
    await record(recorded('a', 1), recorded('=b', 2))
    const columns = ['--columns', 'path,size', '--format']
    expect(JSON.parse((await ask(...columns, 'json')).out)).toEqual([
      { path: '=b', size: 2 },
      { path: 'a', size: 1 },
    ])
    expect((await ask(...columns, 'csv')).out).toBe("path,size\n'=b,2\na,1\n")
    expect((await ask(...columns, 'table')).out).toBe('path  size\n=b       2\na        1\n')
    expect((await ask(...columns, 'ndjson')).rows).toHaveLength(2)
  })

  test('of more than a page are all there, once', async () => {
    await record(...Array.from({ length: 4321 }, (_, i) => recorded(`f${i}`, i)))
    const { rows } = await ask('--columns', 'path')
    expect(new Set(rows.map(({ path }) => path)).size).toBe(4321)
    expect(rows).toHaveLength(4321)
  })

  test('stand in a table on a terminal, with the columns that hold something and fit', async () => {
    await record(recorded('a', 1))
    const { out, err } = await fonds.run(['query', 'fixity-items'], { terminal: 100 })
    const head = out.split('\n')[0]
    expect(head).toContain('path')
    expect(head).not.toContain('because')
    expect(err).toContain('also there, with --columns: ')
  })

  test('on a terminal are not more than anybody reads, and it is said', async () => {
    await record(...Array.from({ length: 1001 }, (_, i) => recorded(`f${i}`, i)))
    const { out, err } = await fonds.run(['query', 'fixity-items', '--columns', 'path'], { terminal: 80 })
    expect(out.trimEnd().split('\n')).toHaveLength(1001)
    expect(err).toContain('only the first 1,000 rows')
  })
})

describe('as of', () => {
  test('a position or a time the rows are as they were', async () => {
    await record(recorded('a', 1))
    const { rows } = await fonds.run(['events'])
    const { position, recordedAt } = rows.at(-1) as { position: string; recordedAt: string }
    const later = new Date(Date.parse(recordedAt) + 1)
    // The log's clock has milliseconds: what is recorded next must not share this one.
    while (Date.now() <= later.getTime()) await new Promise((resolve) => setImmediate(resolve))
    await record(recorded('b', 2), recorded('a', 3))
    for (const point of [position, recordedAt, recordedAt.replace('Z', '+00:00')])
      expect((await ask('--as-of', point, '--columns', 'path,size')).rows).toEqual([{ path: 'a', size: 1 }])
    expect((await ask('--as-of', '2000-01-01T00:00:00Z')).rows).toEqual([])
    expect((await ask()).rows).toHaveLength(2)
  })

  test('a question that neither the key nor a listed column leads says how many rows it reads, and what leads', async () => {
    await record(recorded('a', 1), recorded('b', 2))
    const { position } = (await fonds.run(['events'])).rows.at(-1) as { position: string }
    const scanned = await ask('--as-of', position, '--where', 'size>1')
    expect(scanned.rows).toHaveLength(1)
    expect(scanned.err).toContain('2 rows are read')
    expect(scanned.err).toContain('few are read by its key (store, path), or by state')
    for (const where of ['store=main', 'state=verified'])
      expect((await ask('--as-of', position, '--where', where)).err).not.toContain('rows are read')
  })

  test.each(['yesterday', '2026-01-31', '2026-02-31T12:00:00Z', '-1', ''])('%j is no time', async (point) => {
    const { code, err } = await ask(`--as-of=${point}`)
    expect(code).toBe(2)
    expect(err).toContain('neither a time with a zone')
  })
})

describe('questions that cannot be asked', () => {
  test.each([
    [['--where', 'colour=red'], 'no column "colour"'],
    [['--where', 'size=big'], 'size holds numbers'],
    [['--where', 'nonsense'], 'is no condition'],
    [['--where', 'size<null'], 'null has no answer'],
    [['--order', 'colour'], 'no column "colour"'],
    [['--order', 'checksums'], 'has no order'],
    [['--columns', 'path,sise'], 'did you mean size?'],
  ])('%j', async (argv, says) => {
    const { code, err, out } = await ask(...argv)
    expect([code, out]).toEqual([2, ''])
    expect(err).toContain(says)
  })
})
