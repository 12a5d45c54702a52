import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { recomputeStreams } from '#src/app/proof/check/recompute-streams.ts'
import { NotAsSealed } from '#src/app/proof/export/paired-leaves.ts'
import type { StatedStreams } from '#src/app/proof/streams/stated-streams.ts'
import { newestStatement, statedJson } from '#src/app/proof/streams/stated-streams.ts'
import { UnreadableExport } from '#src/app/proof/verify/export-files.ts'
import { verifyExport } from '#src/app/proof/verify/verify-export.ts'
import { exportOfStated, exportThingsIn, logWithStatement, statedThing } from './exported.ts'
import { origin } from './sealer.ts'
import { statedAttacks, unreadableStated } from './stated-attacks.ts'
import { proofLogIn, treeIn } from './tree-of-log.ts'

let folder: string
let whole: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'fonds-stated-'))
  whole = await exportOfStated(folder)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const { signal } = new AbortController()
const verify = async (at: string) => {
  const { all, failures } = await verifyExport(at, { onProgress: () => {}, signal })
  return { failures, sentences: all.map(({ kind, sentence }) => `${kind} ${sentence}`).join('\n') }
}

const verifyChanged = async (change: (at: string) => void) => {
  const at = mkdtempSync(join(tmpdir(), 'fonds-stated-'))
  try {
    cpSync(whole, at, { recursive: true })
    change(at)
    return await verify(at)
  } finally {
    rmSync(at, { recursive: true, force: true })
  }
}

const scopeIn = (at: string) => JSON.parse(readFileSync(join(at, 'export.json'), 'utf8'))

describe('Q31: an export that rests on the newest leaves that were stated', () => {
  it('has the entries behind the statement alone, and gives what it rests on', async () => {
    const { failures, sentences } = await verify(whole)
    expect(failures).toBe(0)
    expect(sentences).toContain(
      'holds item-a, item-b had 103 events and no other when 1301 leaves were signed, if what leaf 1200 states of the first 1200 is right',
    )
    expect(sentences).toMatch(
      /holds leaf 1200, recorded at .* of 52 streams among the first 1200.*of item-a it is leaf 800/,
    )
    expect(sentences).toContain("unchecked that leaf 1200 states it rightly: it is the archive's own word")
    expect(scopeIn(whole).rest.from).toBe(1024)
    expect(existsSync(join(whole, 'tile/entries/003'))).toBe(false)
    expect(readFileSync(join(whole, 'README.md'), 'utf8')).toContain("the archive's own statement")
  })

  it.each(statedAttacks)('finds $name', async ({ change, found }) => {
    const { failures, sentences } = await verifyChanged(change)
    expect(failures).toBeGreaterThan(0)
    expect(sentences).toMatch(found)
    expect(sentences).not.toMatch(/and no other when|^holds the place of/m)
  })

  it.each(unreadableStated)('cannot check $name', async ({ change, found }) => {
    const error = await verifyChanged(change).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(UnreadableExport)
    expect((error as Error).message).toMatch(found)
  })

  it('has all entries on request, where the rows are gone or damaged, and where that takes no more', async () => {
    const at = mkdtempSync(join(folder, 'log-'))
    const store = await logWithStatement(at)
    const asked = await exportThingsIn(at, store, [statedThing], { isWhole: true })
    expect(asked.exported).toMatchObject({ rest: 533, stated: undefined })
    expect((await verify(asked.to)).sentences).toMatch(/and no other when 1301 leaves were signed$/m)
    const recent = { thing: 'b', streams: ['check-49'], elsewhere: [] }
    expect((await exportThingsIn(at, store, [recent], { name: 'recent' })).exported).toMatchObject({
      ...{ rest: 21, stated: undefined },
    })
    const rows = join(at, 'proof-streams', '1200')
    writeFileSync(rows, readFileSync(rows, 'utf8').replace(' 800\n', ' 793\n'))
    expect(
      (await exportThingsIn(at, store, [statedThing], { name: 'damaged' })).exported.stated,
    ).toBeUndefined()
    rmSync(rows)
    expect((await exportThingsIn(at, store, [statedThing], { name: 'gone' })).exported.stated).toBeUndefined()
  })

  it('a statement of another tree counts for nothing, also with its own proof', async () => {
    const at = mkdtempSync(join(folder, 'log-'))
    const store = await logWithStatement(at, { origin: 'other.example/log' })
    const { to, exported } = await exportThingsIn(at, store, [statedThing])
    expect(exported.stated).toBeUndefined()
    const scope = scopeIn(to)
    const tree = (await treeIn(at))!
    const found = (await newestStatement(store, { origin: 'other.example/log', size: tree.size }))!
    const entry = Buffer.from(tree.entries[1200]!)
    const given: StatedStreams = {
      ...{ index: 1200n, entry, rows: [] },
      size: 1200n,
      data: JSON.stringify(found.data),
    }
    const head = { origin: tree.origin, size: tree.size, root: Buffer.from(tree.root, 'hex') }
    scope.rest.stated = await statedJson(proofLogIn(at), head, given)
    writeFileSync(join(to, 'export.json'), JSON.stringify(scope))
    expect((await verify(to)).sentences).toMatch(
      /fails leaf 1200 states 1200 leaves of other\.example\/log: not those/,
    )
  })

  it('an export is refused, and the check of the log finds it, where a wrong leaf was stated', async () => {
    const at = mkdtempSync(join(folder, 'log-'))
    const leaves = (function* () {
      yield ['item-a', 793] as const
    })()
    const store = await logWithStatement(at, { leaves })
    const refused = exportThingsIn(at, store, [statedThing])
    await expect(refused).rejects.toThrow(NotAsSealed)
    await expect(refused).rejects.toThrow('leaf 1200 states that leaf 793 was the last of item-a among 1200')
    expect(await recomputed(at, store)).toMatch(
      /^revision 0 of proof-streams states that the first 1200 leaves are of 1 streams.*; the entries give 52 and/,
    )
  })

  it('the check of the log computes what was stated again', async () => {
    const at = mkdtempSync(join(folder, 'log-'))
    expect(await recomputed(at, await logWithStatement(at))).toBeUndefined()
  })
})

const recomputed = async (at: string, store: Awaited<ReturnType<typeof logWithStatement>>) => {
  const tree = (await treeIn(at))!
  const { data, event } = (await newestStatement(store, { origin, size: tree.size }))!
  const heads = proofLogIn(at).scratchHeads()
  try {
    const streams = recomputeStreams(heads, data, event.revision)
    for (const [index, entry] of tree.entries.entries()) streams.add(BigInt(index), Buffer.from(entry))
    return await streams.end(signal)
  } finally {
    heads.close()
  }
}
