import { describe, expect, it } from 'vitest'
import { lines, useFonds } from '../fonds.ts'

const fonds = useFonds()

const by = ['--actor', 'ada', '--reason', 'the disk is mended']
const does = (command: string, ...more: readonly string[]) =>
  fonds.run(['do', `ingest.${command}`, ...more, ...by])

/** Its collection is on hold, so it is held. */
const heldBatch = async (): Promise<string> => {
  await does('hold-collection', 'collection=default')
  const held = await fonds.run([
    ...['ingest', 'submit', fonds.file('a.txt', 'A'), '--submitter', 'bob@example.org', '--wait'],
  ])
  await does('release-collection', 'collection=default')
  return String(held.rows[0]?.batch)
}

describe('a command on a batch', () => {
  it('takes its number as well as its public id', async () => {
    const id = await heldBatch()
    expect(await does('release-batch', 'batch=1')).toMatchObject({
      code: 0,
      rows: [{ outcome: 'done', stream: `ingestBatch-${id}` }],
    })
    expect(await does('hold-batch', `batch=${id.toUpperCase()}`)).toMatchObject({ code: 0 })
    const each = await fonds.run(['do', 'ingest.release-batch', '--each', '-', ...by], {
      stdin: lines('{"batch": 1}', `{"batch": "${id}"}`, '{"batch": 2}'),
    })
    expect(each).toMatchObject({ code: 1, rows: [{ done: 1, rejected: 2 }] })
    expect(each.out).toMatch(/batch 1 is pending.*there is no batch 2; `fonds ingest batches` lists all/)
    const unknown = await does('hold-batch', 'batch=7')
    expect(unknown).toMatchObject({ code: 1, err: expect.stringContaining('there is no batch 7') })
    const wrong = await does('hold-batch', 'batch=letters')
    expect(wrong).toMatchObject({ code: 2, err: expect.stringContaining('number or public id of a batch') })
  })

  it('I6: is refused where somebody will not be told, by name, until it is confirmed', async () => {
    await heldBatch()
    const refused = await does('delete-batch', 'batch=1')
    expect(refused.code).toBe(1)
    expect(refused.err).toMatch(/bob@example\.org will not be notified; repeat it with --confirm/)
    expect(await does('hold-collection', 'collection=a', '--confirm')).toMatchObject({
      code: 2,
      err: expect.stringContaining('ingest.hold-collection is done without --confirm'),
    })
    expect(await does('delete-batch', 'batch=1', '--confirm')).toMatchObject({ code: 0 })
    expect((await fonds.run(['ingest', 'batch', '1'])).rows).toMatchObject([{ state: 'deleted' }])
  })
})
