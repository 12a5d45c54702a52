import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { isLeft } from 'fp-ts/lib/Either.js'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openSqliteEventStore } from '#infra/event-store/sqlite/event-store.ts'
import { openDatabase } from '#infra/sqlite/database.ts'
import { checkLog } from '#src/app/proof/check/check-log.ts'
import type { Difference } from '#src/app/proof/check/differences.ts'
import { policyOf } from '#src/app/proof/policy.ts'
import { proveEvent } from '#src/app/proof/prove-event.ts'
import { signersOf } from '#src/app/proof/signers.ts'
import { verifyProof } from '#src/app/proof/verify/verify-proof.ts'
import type { EventStore } from '#src/ports/event-store.ts'
import { event } from '../../contracts/new-event.ts'
import { origin, sealAll } from './sealer.ts'
import { proofLogIn } from './tree-of-log.ts'

let folder: string
let store: EventStore
const file = () => join(folder, 'fonds.db')
const open = () => {
  store = openSqliteEventStore(openDatabase(file(), { durability: 'normal' }))
}

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'fonds-check-'))
  open()
  for (let n = 0; n < 300; n++) await write(`${n % 10 === 9 ? 'duty' : 'a'}-${n % 7}`)
  await sealAll(folder, store)
})
afterEach(async () => {
  await store.close()
  rmSync(folder, { recursive: true, force: true })
})

const write = async (stream: string) => {
  if (isLeft(await store.append(stream, 'any', [event('T', { n: 1 })])())) throw new Error('not written')
}
const tree = async () => {
  const files = proofLogIn(folder)
  const keys = (await files.keys())!
  const verifiers = signersOf(origin, keys, () => 0).map(({ verifier }) => verifier)
  return { files, verifiers, head: (await files.head())!.text }
}
const check = async () => {
  const { files, verifiers, head } = await tree()
  const found: Difference[] = []
  const { signal } = new AbortController()
  const options = { onDifference: (one: Difference) => found.push(one), onProgress: () => {}, signal }
  const checked = await checkLog(store, files, head, verifiers, options)
  return { found, ...checked }
}

/** By hand, as somebody with the file does. */
const bySql = async (sql: string) => {
  await store.close()
  const db = new DatabaseSync(file())
  db.exec('DROP TRIGGER events_never_change; DROP TRIGGER events_never_go')
  db.exec(sql)
  db.close()
  open()
}
const nth = (n: number) =>
  `(SELECT e.position FROM events e JOIN streams s ON s.id = e.stream_id WHERE s.category = 'a' ORDER BY e.position LIMIT 1 OFFSET ${n})`

describe('a log that was changed after it was sealed', () => {
  it('one that was not is as it was sealed; what came since is not sealed yet', async () => {
    await write('a-1')
    expect(await check()).toMatchObject({
      found: [],
      size: 270n,
      same: 270,
      deleted: 0,
      unsealed: 1,
      isCut: false,
    })
  })

  it.each<[string, string, number, string[]]>([
    ['a byte of its data', `data = replace(data, '1', '2')`, 0, ['data']],
    ['its metadata', `metadata = replace(metadata, 'tester', 'fester')`, 100, ['metadata']],
    ['its type', `type = 'U'`, 269, ['type']],
    ['its id', `id = '00000000-0000-7000-8000-000000000000'`, 7, ['id']],
    ['its time', 'recorded_at = recorded_at + 1', 7, ['time of recording']],
    ['all of it', `data = '{}', type = 'U', recorded_at = 0`, 7, ['type', 'time of recording', 'data']],
    ['blanks in its data', `data = replace(data, ':', ': ')`, 7, ['data']],
  ])('%s: stream, revision and part are named', async (_, set, n, parts) => {
    await bySql(`UPDATE events SET ${set} WHERE position = ${nth(n)}`)
    const { found, same } = await check()
    expect(found).toMatchObject([{ kind: 'changed', leaf: BigInt(n) }])
    expect(found[0]!.says).toMatch(
      new RegExp(`^revision \\d+ of a-\\d is not what was sealed as leaf ${n}: its ${parts.join(', ')} w`),
    )
    expect(same).toBe(269)
  })

  it.each([
    ['first', 0],
    ['middle', 135],
    ['last', 269],
  ])('the %s event removed', async (_, n) => {
    await bySql(`DELETE FROM events WHERE position = ${nth(n)}`)
    const { found, same } = await check()
    expect([found.map(({ kind, leaf }) => [kind, leaf]), same]).toEqual([[['removed', BigInt(n)]], 269])
  })

  it('a whole stream removed', async () => {
    await bySql(`DELETE FROM events WHERE stream_id = (SELECT id FROM streams WHERE name = 'a-3')`)
    const { found, same } = await check()
    expect(found.length + same).toBe(270)
    expect(new Set(found.map(({ kind, stream }) => `${kind} ${stream}`))).toEqual(new Set(['removed a-3']))
  })

  it('an event inserted', async () => {
    await bySql(`UPDATE events SET position = position + 100000 WHERE position >= ${nth(50)};
      INSERT INTO streams (name, category, revision) VALUES ('a-forged', 'a', 0);
      INSERT INTO events (position, stream_id, revision, id, type, recorded_at, data, metadata)
        SELECT 50000, (SELECT id FROM streams WHERE name = 'a-forged'), 0, 'x', 'T', 0, '{}', '{}'`)
    const { found, same } = await check()
    expect(found).toMatchObject([{ kind: 'inserted', stream: 'a-forged', revision: 0n, leaf: undefined }])
    expect(same).toBe(270)
  })

  it('two events swapped', async () => {
    await bySql(`CREATE TEMP TABLE at AS SELECT ${nth(20)} AS a, ${nth(24)} AS b;
      UPDATE events SET position = -1 WHERE position = (SELECT a FROM at);
      UPDATE events SET position = (SELECT a FROM at) WHERE position = (SELECT b FROM at);
      UPDATE events SET position = (SELECT b FROM at) WHERE position = -1;`)
    const { found, same } = await check()
    expect(found.map(({ kind }) => kind)).toContain('moved')
    expect(found.every(({ kind }) => kind === 'moved')).toBe(true)
    expect(same).toBe(270)
  })

  it('contents of two events swapped', async () => {
    await bySql(`CREATE TEMP TABLE at AS SELECT ${nth(20)} AS a, ${nth(24)} AS b;
      CREATE TEMP TABLE was AS SELECT position, id FROM events WHERE position IN (SELECT a FROM at UNION SELECT b FROM at);
      UPDATE events SET id = (SELECT id FROM was WHERE was.position <> events.position)
        WHERE position IN (SELECT position FROM was)`)
    expect((await check()).found.map(({ kind, leaf }) => [kind, leaf])).toEqual([
      ['changed', 20n],
      ['changed', 24n],
    ])
  })

  it('events that were deleted by the rules of their streams are no difference', async () => {
    await store.setMetadata('a-2', { $maxCount: 3 })()
    await write('a-2')
    const { found, deleted } = await check()
    expect(found).toEqual([])
    expect(deleted).toBeGreaterThan(0)
  })

  it('an event removed by hand from such a stream is one', async () => {
    await store.setMetadata('a-2', { $maxCount: 3 })()
    await write('a-2')
    await bySql(
      `DELETE FROM events WHERE stream_id = (SELECT id FROM streams WHERE name = 'a-2')
         AND revision = (SELECT revision - 1 FROM streams WHERE name = 'a-2')`,
    )
    expect((await check()).found).toMatchObject([{ kind: 'removed', stream: 'a-2' }])
  })
})

describe('a tree that was changed with the log', () => {
  it('its entries are held against the signed root', async () => {
    await bySql(`UPDATE events SET type = 'U' WHERE position = ${nth(5)}`)
    const path = join(folder, 'proof/tile/entries/000')
    const bytes = readFileSync(path)
    writeFileSync(path, Buffer.from(bytes.toString('latin1').replace('"T"', '"U"'), 'latin1'))
    await expect(check()).rejects.toThrow(/does not have the hashes of its entries/)
  })

  it('a head of another key is not believed', async () => {
    rmSync(join(folder, 'proof-key'), { recursive: true })
    await proofLogIn(folder).makeKeys()
    await expect(check()).rejects.toThrow(/signed by no key that is known/)
  })
})

describe('the proof of an event (Q16)', () => {
  const prove = async (wanted: Parameters<typeof proveEvent>[3]) => {
    const { files, verifiers, head } = await tree()
    return { proof: await proveEvent(files, head, verifiers, wanted), policy: policyOf(verifiers) }
  }
  const kinds = (text: string, policy: string) => verifyProof(text, policy).all.map(({ kind }) => kind)

  it.each([0, 7, 255, 256, 269])('leaf %i, by its id and by its place', async (n) => {
    const page = await store.readAll(-1n, { categories: ['a'] }, 1000)()
    if (isLeft(page)) throw new Error('unreadable')
    const { id, stream, revision, type } = page.right.events[n]!
    const { proof, policy } = await prove({ id })
    expect(proof).toMatchObject({ index: BigInt(n), size: 270n, leaf: { stream, revision, type } })
    expect((await prove({ stream, revision })).proof?.text).toBe(proof!.text)
    const { all, failures } = verifyProof(proof!.text, policy)
    expect(failures).toBe(0)
    expect(all.map(({ sentence }) => sentence)).toContainEqual(
      expect.stringContaining(`leaf ${n} of 270 is event ${id}, T: revision ${revision} of ${stream}`),
    )
  })

  it('of an event that was not sealed there is none', async () => {
    await write('a-1')
    expect((await prove({ stream: 'a-1', revision: 1000n })).proof).toBeUndefined()
    expect((await prove({ id: 'T' })).proof).toBeUndefined()
    expect((await prove({ stream: 'duty-2', revision: 0n })).proof).toBeUndefined()
  })

  it('does not hold for another index, entry, root or key', async () => {
    const { proof, policy } = await prove({ stream: 'a-0', revision: 1n })
    const { text, index } = proof!
    expect(kinds(text, policy)).not.toContain('fails')
    const extra = /extra (.*)\n/.exec(text)![1]!
    const entry = Buffer.from(extra, 'base64').toString()
    const other = Buffer.from(entry.replace('"T"', '"U"')).toString('base64')
    const sealedElsewhere = text.replace(/\n270\n/, '\n271\n')
    for (const forged of [
      text.replace(`index ${index}\n`, `index ${index + 1n}\n`),
      text.replace(extra, other),
      text.replace(/extra .*\n/, ''),
      sealedElsewhere,
    ]) {
      expect(forged).not.toBe(text)
      expect(kinds(forged, policy)).toContain('fails')
      expect(kinds(forged, policy).filter((kind) => kind === 'holds').length).toBeLessThan(
        kinds(text, policy).filter((kind) => kind === 'holds').length,
      )
    }
    rmSync(join(folder, 'proof-key'), { recursive: true })
    const keys = await proofLogIn(folder).makeKeys()
    const others = policyOf(signersOf(origin, keys, () => 0).map(({ verifier }) => verifier))
    expect(kinds(text, others)).toEqual(['fails'])
  })
})
