import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { beforeEach, describe, expect, test } from 'vitest'
import { orThrow } from '#src/async/unavailable.ts'
import { sealedViewStream } from '#src/domain/kernel/proof/statements.ts'
import { sealAll } from '../app/proof/sealer.ts'
import { unreadableViews, viewAttacks } from '../app/proof/statement-attacks.ts'
import { contentTopic, lines, recorded, useFonds } from './fonds.ts'

const fonds = useFonds()
const seal = () => fonds.withSystem(({ eventStore }) => sealAll(fonds.home, eventStore))
const by = ['--actor', 'ada', '--reason', 'a donor asked']
const file = () => join(fonds.folder, 'items.json')
const prove = (...more: string[]) => fonds.run(['proof', 'view', 'fixity-items', ...more, '--output', file()])
const row = ['--row', 'main', 'b']

describe('proof view', () => {
  beforeEach(async () => {
    await fonds.run(['produce', contentTopic, '--wait'], {
      stdin: lines(recorded('a', 1), recorded('b', 2), recorded('c', 3)),
    })
    await seal()
  })

  const policy = async () => fonds.file('archive.policy', (await fonds.run(['proof', 'key', '--policy'])).out)
  const verify = async () =>
    fonds.run(['proof', 'verify', file(), '--policy', await policy()], {
      env: { FONDS_HOME: join(fonds.folder, 'elsewhere') },
    })

  test('Q31: a row is proven to somebody who has the file and the key alone', async () => {
    const made = await prove(...row, '--seal', ...by)
    expect(made).toMatchObject({
      code: 0,
      rows: [{ view: 'fixity-items', rows: 3, index: '1', isNow: true }],
    })
    const { code, rows } = await verify()
    expect(code).toBe(0)
    const sentences = rows.map(({ kind, sentence }) => `${kind} ${sentence}`).join('\n')
    expect(sentences).toMatch(
      /^holds the archive stated that fixity-items had 3 rows, folded up to position \d+/m,
    )
    expect(sentences).toMatch(/^holds row 1 of them, counted from 0, is \{.*"path":"b".*"size":2/m)
    expect(sentences).toMatch(/^unchecked that the rows follow from the events/m)
    expect((await fonds.run(['events', '--type', 'ViewSealed'])).rows).toMatchObject([
      { data: { view: 'fixity-items', projection: 'fixity', rows: 3, reason: 'a donor asked' } },
    ])
    const own = await fonds.run(['proof', 'verify', file()])
    expect(own.code).toBe(0)
  })

  test.each(viewAttacks)('finds $name', async ({ change, found }) => {
    await prove(...row, '--seal', ...by)
    const text = readFileSync(file(), 'utf8')
    expect(change(text)).not.toBe(text)
    writeFileSync(file(), change(text))
    const { code, out } = await verify()
    expect(code).toBe(1)
    expect(out).toMatch(found)
    expect(out).not.toContain('row 1 of them')
  })

  test('what another program states in a stream of its own is no statement of the archive', async () => {
    await prove(...row, '--seal', ...by)
    await fonds.withSystem(async ({ eventStore }) => {
      const [sealed] = await orThrow(eventStore.read(sealedViewStream('fixity-items'), 'end', 'backward', 1))
      const { type, data, metadata } = sealed!
      const id = '5f8f3c1e-0000-4000-8000-000000000001'
      await orThrow(eventStore.append('other-1', 'none', [{ id, type, data, metadata }]))
      await sealAll(fonds.home, eventStore)
    })
    await fonds.run(['proof', 'of', 'other-1', '0', '--output', join(fonds.folder, 'other')])
    const whole = JSON.parse(readFileSync(file(), 'utf8'))
    const other = readFileSync(join(fonds.folder, 'other'), 'utf8')
    writeFileSync(file(), JSON.stringify({ ...whole, statement: { ...whole.statement, proof: other } }))
    const { code, out } = await verify()
    expect([code, out]).toEqual([
      1,
      expect.stringContaining('is in other-1, where the archive states nothing'),
    ])
    expect(out).not.toContain('the archive stated')
  })

  test('a view that moved on: its statement stands, and a row is proven when it is sealed again', async () => {
    expect((await prove(...row)).err).toContain('not sealed yet')
    expect((await fonds.run(['do', 'proof.seal-view', 'view=fixity-items', ...by])).code).toBe(0)
    expect((await prove(...row)).code).toBe(0)
    await fonds.run(['produce', contentTopic, '--wait'], { stdin: lines(recorded('d', 4)) })
    const moved = await prove(...row)
    expect([moved.code, moved.err]).toEqual([1, expect.stringContaining('has other rows now')])
    expect((await prove()).rows).toMatchObject([{ rows: 3, isNow: false }])
    expect((await verify()).out).toContain('had 3 rows')
    expect((await prove(...row, '--seal', ...by)).rows).toMatchObject([{ rows: 4, index: '1' }])
  })

  test.each([
    [['view', 'fixity-itens'], 1, 'did you mean fixity-items?'],
    [['view', 'fixity-items', '--row', 'main'], 2, '--row takes the key of the row: store, path'],
    [['view', 'fixity-items', '--seal'], 2, '--actor'],
    [['view', 'fixity-items', '--row', 'main', 'x', '--seal', ...by], 1, 'has no row main, x'],
  ])('%j', async (argv, wanted, message) => {
    const { code, err } = await fonds.run(['proof', ...argv])
    expect([code, err]).toEqual([wanted, expect.stringContaining(message)])
  })

  test('a number from 2^53 on, which another program wrote, is named with its row', async () => {
    const db = new DatabaseSync(join(fonds.home, 'views.db'))
    const { name } = db.prepare("SELECT name FROM sqlite_schema WHERE name GLOB 'fixity-items__[0-9]'").get()!
    db.exec(`UPDATE "${name}" SET size = 9007199254740993 WHERE path = 'b'`)
    db.close()
    for (const argv of [
      ['proof', 'view', 'fixity-items', '--seal', ...by],
      ['query', 'fixity-items'],
    ]) {
      const { code, err } = await fonds.run(argv)
      expect([argv[0], code, err]).toEqual([
        argv[0],
        3,
        expect.stringContaining(
          'row main, b of fixity-items has the number 9007199254740993 in its column size',
        ),
      ])
    }
  })

  test('a file of another form proves nothing', async () => {
    await prove(...row, '--seal', ...by)
    const text = readFileSync(file(), 'utf8')
    for (const { name, change } of unreadableViews) {
      expect(change(text), name).not.toBe(text)
      writeFileSync(file(), change(text))
      const { code, out, err } = await verify()
      expect([code, out, err], name).toEqual([1, '', expect.stringContaining('nothing is proven')])
    }
    writeFileSync(file(), Buffer.from(text.replace('fixity', '\u00ff'), 'latin1'))
    expect(await verify()).toMatchObject({ code: 1, out: '', err: expect.stringContaining('cannot be read') })
  })
})
