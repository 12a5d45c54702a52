import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { beforeEach, describe, expect, test } from 'vitest'
import { fixity } from '../../src/projections/fixity/projection.ts'
import { contentTopic, lines, recorded, useFonds } from './fonds.ts'

const fonds = useFonds()

beforeEach(async () => {
  await fonds.run(['produce', contentTopic, '--wait'], { stdin: lines(recorded('a', 1), recorded('b', 2)) })
})

/** A row goes wrong without an event, as by a bug or a hand in the file. */
const tamper = () => {
  const db = new DatabaseSync(join(fonds.home, 'views.db'))
  const table = db
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name LIKE 'fixity-items%'")
    .get()
  db.exec(`UPDATE "${table?.name}" SET size = 999 WHERE path = 'a'`)
  db.close()
}

const sizes = async () => (await fonds.run(['query', 'fixity-items'])).rows.map(({ size }) => size)

describe('rebuild', () => {
  test('--verify proves that the views are what the log says', async () => {
    const { code, rows } = await fonds.run(['rebuild', 'fixity', '--verify'])
    expect(code).toBe(0)
    expect(rows).toMatchObject([
      {
        projection: 'fixity',
        verdict: 'equal',
        rows: 5,
        views: fixity.views.length,
        events: 2,
        promoted: true,
        differences: [],
      },
    ])
  })

  test('--all rebuilds every projection', async () => {
    const { code, rows } = await fonds.run(['rebuild', '--all'])
    expect(code).toBe(0)
    expect(rows.map(({ projection, verdict }) => [projection, verdict])).toEqual([
      ['dead-letters', 'not compared'],
      ['rejections', 'not compared'],
      ['log-index', 'not compared'],
      ['fixity', 'not compared'],
      ['fixity-activity', 'not compared'],
      ['indexing', 'not compared'],
      ['indexing-activity', 'not compared'],
      ['ingest', 'not compared'],
      ['ingest-activity', 'not compared'],
      ['matching', 'not compared'],
      ['matching-activity', 'not compared'],
      ['research', 'not compared'],
      ['research-activity', 'not compared'],
    ])
  })

  test('says it in a sentence on a terminal, with progress on standard error', async () => {
    const { out, err } = await fonds.run(['rebuild', 'fixity', '--verify'], { terminal: 100 })
    expect(out).toMatch(/^fixity: equal row for row \(5 rows in \d+ views\); 2 events in .+\/s\n$/)
    expect(err).toContain('Rebuilding fixity')
  })

  test('differences are shown, the live views stay, and the exit code is 1', async () => {
    tamper()
    const { code, rows, err } = await fonds.run(['rebuild', 'fixity', '--verify'])
    expect(code).toBe(1)
    expect(err).toContain('--promote')
    expect(rows).toMatchObject([
      {
        verdict: 'different',
        promoted: false,
        differences: [
          {
            view: 'fixity-items',
            rows: 1,
            onlyLive: [{ path: 'a', size: 999 }],
            onlyRebuilt: [{ path: 'a', size: 1 }],
          },
        ],
      },
    ])
    expect(await sizes()).toEqual([999, 2])
  })

  test('--promote puts the views right where they differ', async () => {
    tamper()
    const { code, rows } = await fonds.run(['rebuild', 'fixity', '--verify', '--promote'])
    expect([code, rows[0]?.promoted]).toEqual([1, true])
    expect(await sizes()).toEqual([1, 2])
    expect((await fonds.run(['rebuild', 'fixity', '--verify'])).code).toBe(0)
  })

  test.each([
    [['rebuild'], 2, 'which projection?'],
    [['rebuild', 'fixity', '--all'], 2, 'not both'],
    [['rebuild', 'fixity', '--promote'], 2, '--verify'],
    [['rebuild', 'fixty'], 1, 'did you mean fixity?'],
  ])('%j', async (argv, wanted, says) => {
    const { code, err } = await fonds.run(argv)
    expect(code).toBe(wanted)
    expect(err).toContain(says)
  })
})
