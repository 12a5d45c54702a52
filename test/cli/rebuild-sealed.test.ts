import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { beforeEach, describe, expect, test } from 'vitest'
import { causesOf } from '#src/app/causes.ts'
import { createRebuilds } from '#src/app/rebuilds.ts'
import { itemStream } from '#src/domain/fixity/item.ts'
import { projectionsOf } from '#src/workflows/workflow-model.ts'
import { sealAll } from '../app/proof/sealer.ts'
import { patience } from '../patience.ts'
import { contentTopic, lines, recorded, useFonds } from './fonds.ts'

const fonds = useFonds()
const seal = () => fonds.withSystem(({ eventStore }) => sealAll(fonds.home, eventStore))
const by = ['--actor', 'ada', '--reason', 'the disk was mended by hand']
const accept = () => fonds.run(['do', 'proof.accept-differences', ...by])
const rebuild = () => fonds.run(['rebuild', 'fixity'])

const bySql = (sql: string) => {
  const db = new DatabaseSync(join(fonds.home, 'fonds.db'))
  db.exec('DROP TRIGGER IF EXISTS events_never_change; DROP TRIGGER IF EXISTS events_never_go')
  db.exec(sql)
  db.close()
}
/** The event of an item. */
const eventOf = (path: string) =>
  `position = (SELECT position FROM events e JOIN streams s ON s.id = e.stream_id WHERE s.name = '${itemStream({ store: 'main', path })}')`
const edit = (path: string, size: number) =>
  bySql(`UPDATE events SET data = json_set(data, '$.size', ${size}) WHERE ${eventOf(path)}`)
const sizes = async () => (await fonds.run(['query', 'fixity-items'])).rows.map(({ size }) => size)

describe('a rebuild compares the sealed events that it reads with the tree', () => {
  beforeEach(async () => {
    await fonds.run(['produce', contentTopic, '--wait'], {
      stdin: lines(recorded('a', 1), recorded('b', 2), recorded('c', 3)),
    })
  })

  test('without a tree nothing is compared', async () => {
    expect((await rebuild()).rows).toMatchObject([{ sealed: 'not compared', promoted: true }])
  })

  test('a log that is as it was sealed: the views are switched', async () => {
    await seal()
    await fonds.run(['produce', contentTopic, '--wait'], { stdin: lines(recorded('d', 4)) })
    expect(await rebuild()).toMatchObject({ code: 0, rows: [{ sealed: 'same', promoted: true }] })
    const { out } = await fonds.run(['rebuild', 'fixity'], { terminal: 200 })
    expect(out).toContain("the sealed events among them are as the tree's entries say")
  })

  test('a changed event: the views wait, until a person accepts it; each other change makes them wait again', async () => {
    await seal()
    edit('a', 999)
    const found = await rebuild()
    expect(found).toMatchObject({ code: 1, rows: [{ sealed: 'different', promoted: false }] })
    expect(found.err).toMatch(
      /revision 0 of fixity-main\/\S+ is not what was sealed as leaf \d: its data was changed[\s\S]*proof\.accept-differences/,
    )
    expect(await sizes()).toEqual([1, 2, 3])
    expect(await fonds.withSystem(causesOf)).toMatchObject([
      { key: 'proof', says: expect.stringMatching(/revision 0 of fixity-main\/\S+ is not what was sealed/) },
    ])
    expect((await fonds.run(['doctor'])).rows).toContainEqual(
      expect.objectContaining({ check: 'proof', status: 'fail', says: expect.stringContaining('its data') }),
    )
    expect((await rebuild()).code).toBe(1)
    expect(await accept()).toMatchObject({ code: 0 })
    expect(await sizes()).toEqual([999, 2, 3])
    expect((await fonds.run(['events', '--type', 'DifferencesAccepted'])).rows).toMatchObject([
      { data: { count: 1, reason: 'the disk was mended by hand' }, metadata: { actor: 'ada' } },
    ])
    expect(await rebuild()).toMatchObject({ code: 0, rows: [{ sealed: 'accepted', promoted: true }] })
    expect(await accept()).toMatchObject({ code: 1, err: expect.stringContaining('no rebuilt views wait') })

    edit('a', 1000)
    expect((await rebuild()).code).toBe(1)
    edit('a', 999)
    edit('b', 1000)
    expect((await rebuild()).code).toBe(1)
    expect(await sizes()).toEqual([999, 2, 3])
  })

  test('on the page: the rebuild fails with the same sentence, and its views wait, too', async () => {
    await seal()
    edit('a', 999)
    await fonds.withSystem(async (system) => {
      const rebuilds = createRebuilds(system)
      const fixity = projectionsOf(system.workflows).find(({ name }) => name === 'fixity')!
      await rebuilds.start(fixity, { actor: 'ada', reason: 'x', verify: true, promote: true })
      await expect
        .poll(() => rebuilds.of('fixity')?.endedAt ?? null, { interval: 20, timeout: patience })
        .not.toBeNull()
      expect(rebuilds.of('fixity')).toMatchObject({
        state: 'failed',
        error: expect.stringMatching(/^the log is not what was sealed: revision 0 of fixity-main\/a is not/),
      })
      await rebuilds.close()
    })
    expect(await sizes()).toEqual([1, 2, 3])
    expect((await accept()).code).toBe(0)
    expect(await sizes()).toEqual([999, 2, 3])
  })

  test('many accepted differences hide no other: all are looked at', async () => {
    const many = Array.from({ length: 1100 }, (_, i) => recorded(`many/${i}`, 1))
    await fonds.run(['produce', contentTopic, '--wait'], { stdin: lines(...many) })
    await seal()
    bySql(`UPDATE events SET recorded_at = recorded_at + 1 WHERE type NOT LIKE '%Lease%'`)
    // No views are live yet.
    expect(await rebuild()).toMatchObject({ code: 1, rows: [{ sealed: 'different', rows: 0 }] })
    expect(await accept()).toMatchObject({ code: 0 })
    expect((await rebuild()).code).toBe(0)
    edit('many/1099', 1000)
    expect((await rebuild()).code).toBe(1)
  })

  test('put back as it was: the next rebuild switches, and nothing waits any more', async () => {
    await seal()
    edit('a', 999)
    expect((await rebuild()).code).toBe(1)
    edit('a', 1)
    expect(await rebuild()).toMatchObject({ code: 0, rows: [{ promoted: true }] })
    expect((await accept()).code).toBe(1)
    await fonds.run(['proof', 'check'])
    expect(await fonds.withSystem(causesOf)).toEqual([])
  })

  test.each([
    [
      'removed',
      `DELETE FROM events WHERE ${eventOf('b')}; UPDATE streams SET revision = -1 WHERE name = '${itemStream({ store: 'main', path: 'b' })}'`,
      /was sealed as leaf \d, and is not in the log/,
    ],
    ['another type', `UPDATE events SET type = 'Other' WHERE ${eventOf('b')}`, /its type was changed/],
    [
      'swapped',
      `UPDATE events SET position = 1000000 WHERE ${eventOf('a')}`,
      /fixity-main\/\S+ stands in the log before events that were sealed before it/,
    ],
  ])('%s', async (_, sql, sentence) => {
    await seal()
    bySql(sql)
    const found = await rebuild()
    expect([found.code, found.err]).toEqual([1, expect.stringMatching(sentence)])
    expect(await sizes()).toEqual([1, 2, 3])
  })

  test('inserted behind the last sealed event that the views fold, and before another one', async () => {
    await fonds.run(['do', 'ingest.pause', ...by])
    await seal()
    bySql(`UPDATE events SET position = position + 1000 WHERE type = 'HoldSet';
      INSERT INTO events SELECT position + 500, stream_id, revision + 1, 'forged', type, recorded_at, data, metadata, encoding
        FROM events WHERE ${eventOf('c')};
      UPDATE streams SET revision = revision + 1 WHERE name = '${itemStream({ store: 'main', path: 'c' })}'`)
    const found = await rebuild()
    expect([found.code, found.err]).toEqual([
      1,
      expect.stringMatching(/before sealed events, and was not sealed/),
    ])
  })

  test('`proof check` keeps what it finds for notices', async () => {
    await seal()
    edit('a', 999)
    await fonds.run(['proof', 'check'])
    expect(await fonds.withSystem(causesOf)).toMatchObject([{ key: 'proof', weight: 1 }])
  })
})
