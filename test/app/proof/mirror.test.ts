import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkpointText, noteText, parsePolicy, signedNote } from '@fonds/tlog'
import { isLeft } from 'fp-ts/lib/Either.js'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { mirrorLog } from '#src/app/proof/mirror.ts'
import { BrokenTree } from '#src/app/proof/open-tree.ts'
import { policyOf } from '#src/app/proof/policy.ts'
import { signersOf } from '#src/app/proof/signers.ts'
import type { GetProofFile } from '#src/ports/proof-files.ts'
import { event } from '../../contracts/new-event.ts'
import { fakeEventStore } from '../../fakes/event-store.ts'
import { origin, sealAll } from './sealer.ts'
import { proofLogIn, treeIn } from './tree-of-log.ts'

let folder: string
let store: ReturnType<typeof fakeEventStore>
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fonds-mirror-'))
  store = fakeEventStore()
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const theirs = () => join(folder, 'theirs')
const ours = () => join(folder, 'ours')
const grow = async (events: number, word = 'T'): Promise<void> => {
  for (let n = 0; n < events; n++)
    if (isLeft(await store.append('a-1', 'any', [event(word, { n })])())) throw new Error('not written')
  await sealAll(theirs(), store)
}
const signers = async () => signersOf(origin, await proofLogIn(theirs()).makeKeys(), () => 1_000_000)
const policy = async () => parsePolicy(policyOf((await signers()).map(({ verifier }) => verifier)))

let asked: string[] = []
const served: GetProofFile = async (path) => {
  asked.push(path)
  try {
    return readFileSync(join(theirs(), 'proof', path))
  } catch {
    return undefined
  }
}
const mirror = async (get: GetProofFile = served) => {
  asked = []
  const signal = new AbortController().signal
  return mirrorLog(get, proofLogIn(ours()), { policy: await policy(), onProgress: () => {}, signal })
}
const filesIn = (home: string) =>
  readdirSync(join(home, 'proof'), { recursive: true, withFileTypes: true })
    .filter((file) => file.isFile())
    .map((file) => join(file.parentPath, file.name).slice(home.length))
    .sort()

describe('Q19: a mirror of another archive’s tree', () => {
  it('holds the same files, and asks for what is new alone', async () => {
    await grow(3)
    expect(await mirror()).toEqual({ kind: 'held', origin, size: 3n, from: 0n })
    await grow(600)
    expect(await mirror()).toMatchObject({ size: 603n, from: 3n })
    await grow(1)
    expect(await mirror()).toMatchObject({ size: 604n, from: 603n })
    expect(asked).toEqual(['checkpoint', 'tile/entries/002.p/92'])
    expect(await mirror()).toMatchObject({ kind: 'held', size: 604n, from: 604n })
    expect(asked).toEqual(['checkpoint'])
    // Partial files of earlier heads stay until the full ones are there: each side has those of its own heads.
    const shared = filesIn(ours()).filter((file) => filesIn(theirs()).includes(file))
    expect(shared).toEqual(
      expect.arrayContaining(
        ['checkpoint', 'tile/0/000', 'tile/0/001', 'tile/0/002.p/92', 'tile/1/000.p/2']
          .concat(['tile/entries/000', 'tile/entries/001', 'tile/entries/002.p/92'])
          .map((file) => `/proof/${file}`),
      ),
    )
    for (const file of shared)
      expect(readFileSync(join(ours(), file)).equals(readFileSync(join(theirs(), file)))).toBe(true)
    expect((await treeIn(theirs()))!.size).toBe(604n)
  })

  it('takes a full bundle in the place of a partial one that is no more', async () => {
    await grow(200)
    const head = readFileSync(join(theirs(), 'proof/checkpoint'))
    await grow(100)
    rmSync(join(theirs(), 'proof/tile/entries/000.p'), { recursive: true, force: true })
    const older: GetProofFile = async (path, signal) => (path === 'checkpoint' ? head : served(path, signal))
    expect(await mirror(older)).toMatchObject({ kind: 'held', size: 200n })
    expect(await mirror()).toMatchObject({ kind: 'held', size: 300n, from: 200n })
  })

  it('takes no head that does not follow from what it holds, and gives it as evidence (Q2, Q3)', async () => {
    await grow(300)
    await mirror()
    const before = filesIn(ours()).map((file) => readFileSync(join(ours(), file), 'hex'))
    // The same archive, with its key, begins to tell another history.
    store = fakeEventStore()
    for (const part of ['proof', 'proof-heads.db', 'proof-heads.db-wal', 'proof-heads.db-shm'])
      rmSync(join(theirs(), part), { recursive: true, force: true })
    await grow(400, 'Other')
    const fork = await mirror()
    expect(fork).toMatchObject({
      kind: 'refused',
      reason: expect.stringContaining('does not follow from the 300'),
    })
    expect(fork.kind === 'refused' && fork.head).toContain(`${origin}\n400\n`)
    expect((await treeIn(theirs()))!.size).toBe(400n)
    const keys = ['checkpoint']
    expect(filesIn(ours()).filter((file) => keys.some((key) => file.endsWith(key)))).toHaveLength(1)
    expect(readFileSync(join(ours(), 'proof/checkpoint'), 'utf8')).toContain(`${origin}\n300\n`)
    expect(filesIn(ours()).map((file) => readFileSync(join(ours(), file), 'hex'))).toEqual(before)
  })

  it('takes no smaller tree, no other log, no other key, and no damaged file', async () => {
    await grow(300)
    const files = new Map(
      filesIn(theirs()).map((file) => [file.slice('/proof/'.length), readFileSync(join(theirs(), file))]),
    )
    await mirror()
    const [log] = await signers()
    const shows =
      (text: string): GetProofFile =>
      async (path, signal) =>
        path === 'checkpoint' ? Buffer.from(text) : served(path, signal)
    const smaller = checkpointText({ origin, size: 200n, root: Buffer.alloc(32, 1) })
    expect(await mirror(shows(noteText(signedNote(smaller, [log!]))))).toMatchObject({
      kind: 'refused',
      reason: 'it shows 200 leaves, and showed 300 before: it was put back',
    })
    const changed = files.get('checkpoint')!.toString().replace('\n300\n', '\n301\n')
    expect(await mirror(shows(changed))).toMatchObject({
      reason: expect.stringContaining('is not by its key'),
    })
    expect(await mirror(async () => undefined)).toMatchObject({ reason: 'it shows no checkpoint' })
    rmSync(ours(), { recursive: true })
    const damaged: GetProofFile = async (path) =>
      path === 'tile/entries/000' ? files.get(path)!.subarray(0, -1) : files.get(path)
    expect(await mirror(damaged)).toMatchObject({ reason: 'it serves a damaged tile/entries/000' })
    const other: GetProofFile = async (path) =>
      path === 'tile/entries/000'
        ? Buffer.from(files.get(path)!.toString('latin1').replace('a-1', 'b-1'), 'latin1')
        : files.get(path)
    expect(await mirror(other)).toMatchObject({
      reason: expect.stringContaining('serves what it did not sign'),
    })
    expect(await proofLogIn(ours()).head()).toBeUndefined()
    expect(await mirror()).toMatchObject({ kind: 'held', size: 300n, from: 0n })
  })

  it('of which somebody changed a tile here says so', async () => {
    await grow(10)
    await mirror()
    writeFileSync(join(ours(), 'proof/tile/0/000.p/10'), Buffer.alloc(320))
    await grow(1)
    await expect(mirror()).rejects.toThrow(BrokenTree)
  })
})
