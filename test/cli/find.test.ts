import { beforeEach, describe, expect, test } from 'vitest'
import { contentTopic, lines, recorded, useFonds } from './fonds.ts'

const fonds = useFonds({ keepsHistory: true })

beforeEach(async () => {
  await fonds.run(['produce', contentTopic, '--wait'], {
    stdin: lines(recorded('letters/1.tif', 1), recorded('letters/2.tif', 2), recorded('maps/1.tif', 3)),
  })
})

describe('find', () => {
  test('gives a line a hit in a pipe, with the command that shows it', async () => {
    const { code, rows, err } = await fonds.run(['find', 'main/letters/1.tif'])
    expect([code, err]).toEqual([0, ''])
    expect(rows).toEqual([
      {
        kind: 'fixity-items',
        id: 'main/letters/1.tif',
        title: null,
        note: 'unchecked',
        exact: true,
        command: 'fonds fixity item main letters/1.tif',
        page: '/fixity/item?store=main&path=letters%2F1.tif',
      },
    ])
    const { code: shown } = await fonds.run(String(rows[0]?.command).split(' ').slice(1))
    expect(shown).toBe(0)
  })

  test('is a table on a terminal, the exact one first, and says how many there are', async () => {
    const { code, out, err } = await fonds.run(['find', 'letters', '--limit', '1'], {
      terminal: 140,
      env: { NO_COLOR: '1' },
    })
    expect(code).toBe(0)
    const [head, first] = out.split('\n')
    expect(head).toMatch(/^kind +id +title +note +command/i)
    expect(first).toMatch(/^fixity-folders +main\/letters\/ .* fonds fixity folders main letters$/)
    expect(err).toContain('Items: 1 of 2\n')
  })

  test('keeps the commands whole on a narrow terminal, so that they can be copied', async () => {
    const { out } = await fonds.run(['find', 'main/letters/1.tif'], {
      terminal: 60,
      env: { NO_COLOR: '1' },
    })
    expect(out).toContain('fonds fixity item main letters/1.tif\n')
  })

  test('joins words, and finds what Fonds can do', async () => {
    const { rows } = await fonds.run(['find', 'dead', 'letters', '--kind', 'views'])
    expect(rows.map(({ id }) => id)).toContain('dead-letters')
  })

  test('finds commands and questions in a home that is opened for reading alone', async () => {
    const { rows } = await fonds.run(['find', 'fixity.resolve'], { openHome: true })
    expect(rows).toMatchObject([{ kind: 'commands', id: 'fixity.resolve', exact: true }])
    const { rows: questions } = await fonds.run(['find', '--kind', 'questions', 'bags'], { openHome: true })
    expect(questions.map(({ id }) => id)).toContain('fixity bags')
  })

  test('as of an earlier moment', async () => {
    const { rows } = await fonds.run(['events', '--type', 'ContentRecorded'])
    const then = String(rows[0]?.position)
    const { rows: before, err } = await fonds.run(['find', 'main/letters', '--as-of', then])
    expect(before.map(({ id }) => id)).toEqual(['main/letters/1.tif'])
    expect(err).toContain('Folders are left out: folders are not compared as of an earlier moment')
    const { rows: event } = await fonds.run(['find', String(rows[1]?.position), '--as-of', then])
    expect(event.filter(({ kind }) => kind === 'events')).toEqual([])
    expect((await fonds.run(['find', 'main', '--as-of', 'soon'])).code).toBe(2)
  })

  test('nothing: exit code 1, and what to try', async () => {
    const { code, out, err } = await fonds.run(['find', 'Main/Letters'])
    expect([code, out]).toEqual([1, ''])
    expect(err).toContain('nothing is called "Main/Letters"')
    expect(err).toContain('in their own case')
  })

  test.each([
    [['find'], "missing required argument 'text'"],
    [['find', ''], '<text> is empty'],
    [['find', 'x'.repeat(10_000)], '10,000 characters'],
    [['find', 'a', '--kind', 'fixity-item'], 'fixity-items'],
    [['find', 'a', '--limit', '0'], '--limit'],
    [['find', 'a', '--limit', '100000'], '--limit'],
  ])('wrong usage %#', async (argv, why) => {
    const { code, out, err } = await fonds.run(argv)
    expect([code, out]).toEqual([2, ''])
    expect(err).toContain(why)
  })
})
