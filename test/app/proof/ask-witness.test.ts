import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkpointText, noteText, openNote, signedNote } from '@fonds/tlog'
import { cosigner, emptyTree, leafHash, noteSigner } from '@fonds/tlog/compute'
import { expect, it, onTestFinished } from 'vitest'
import { openWitness } from '#infra/proof/witness.ts'
import { type AskedOutcome, askWitness } from '#src/app/proof/ask-witness.ts'
import type { PostCheckpoint } from '#src/ports/witness.ts'

const origin = 'archive.example/log'
const log = noteSigner(origin, generateKeyPairSync('ed25519').privateKey)
const signer = cosigner('w.example/w', generateKeyPairSync('ed25519').privateKey, () => 1_764_500_000)

/** A witness without a network, and how often it was asked. */
const useWitness = () => {
  const folder = mkdtempSync(join(tmpdir(), 'fonds-witness-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const witness = openWitness(join(folder, 'witness.db'), {
    keysOf: (name) => (name === origin ? [log.verifier] : undefined),
    signers: [signer],
    now: () => '2026-11-30T12:00:00.000Z',
  })
  onTestFinished(() => witness.close())
  const asked: string[] = []
  const post: PostCheckpoint = async (url, body) => {
    asked.push(url)
    return witness.addCheckpoint(Buffer.from(body))
  }
  return { asked, post }
}

const ask = async (
  size: number,
  post: PostCheckpoint,
  { known, word = 'entry', by = log }: { known?: bigint; word?: string; by?: typeof log } = {},
): Promise<AskedOutcome> => {
  const tree = emptyTree()
  for (let i = 0; i < size; i++) tree.append(leafHash(Buffer.from(`${word} ${i}`)))
  const head = { origin: by.verifier.name, size: BigInt(size), root: tree.root() }
  return askWitness(
    { name: 'partner', url: 'https://w.example/', verifiers: [signer.verifier] },
    {
      note: signedNote(checkpointText(head), [by]),
      head,
      readTile: async () => tree.partial()[0]!.bytes,
      post,
      known,
      signal: new AbortController().signal,
    },
  )
}

it('Q18: is cosigned, and asked in one step where the last size is known', async () => {
  const { asked, post } = useWitness()
  const first = await ask(5, post)
  expect(first).toMatchObject({ kind: 'cosigned', size: 5n })
  expect(asked).toEqual(['https://w.example/add-checkpoint'])
  expect(await ask(13, post, { known: 5n })).toMatchObject({ kind: 'cosigned', size: 13n })
  expect(asked).toHaveLength(2)
  const again = await ask(20, post)
  expect(asked).toHaveLength(4)
  if (again.kind !== 'cosigned') throw new Error(again.reason)
  const { verified } = openNote(noteText(again.note), [log.verifier, signer.verifier])
  expect(verified.map(({ verifier }) => verifier.name)).toEqual([origin, 'w.example/w'])
})

it('Q15: a witness that saw a larger tree shows that this one was put back', async () => {
  const { post } = useWitness()
  await ask(13, post)
  expect(await ask(5, post)).toEqual({
    kind: 'behind',
    size: 13n,
    reason: 'the witness partner saw 13 leaves of archive.example/log, this tree has 5',
  })
})

it('Q3: a second history is not cosigned', async () => {
  const { post } = useWitness()
  await ask(13, post)
  for (const size of [13, 20])
    expect(await ask(size, post, { word: 'other' })).toMatchObject({
      kind: 'fork',
      reason: expect.stringContaining('the witness partner says: the checkpoint has'),
    })
})

it('Q100: says what a witness answers that does not know the log, or answers what is no cosignature', async () => {
  const { post } = useWitness()
  const stranger = noteSigner('stranger.example/log', generateKeyPairSync('ed25519').privateKey)
  expect(await ask(5, post, { by: stranger })).toEqual({
    kind: 'refused',
    reason: 'the witness partner answered 404: this witness does not know the log stranger.example/log',
  })
  const answers = (status: number, body: string) => ask(5, async () => ({ status, body }))
  expect(await answers(403, 'unknown\u001b[31m log\n')).toMatchObject({
    reason: 'the witness partner answered 403: unknown [31m log',
  })
  expect(await answers(500, '')).toMatchObject({
    kind: 'refused',
    reason: expect.stringContaining('nothing more'),
  })
  expect(await answers(409, 'many')).toMatchObject({ kind: 'refused' })
  expect(await answers(409, '3\n')).toMatchObject({
    kind: 'refused',
    reason: expect.stringContaining('meanwhile'),
  })
  for (const body of ['', 'fine\n', '— w.example/w AAAAAAAA\n'])
    expect(await answers(200, body)).toMatchObject({ kind: 'refused' })
  const other = cosigner('w.example/w', generateKeyPairSync('ed25519').privateKey, () => 1)
  const { text } = signedNote(checkpointText({ origin, size: 1n, root: leafHash(Buffer.from('a')) }), [log])
  const { name, keyId, bytes } = other.sign(text)
  const line = `— ${name} ${Buffer.concat([Buffer.from(keyId, 'hex'), bytes]).toString('base64')}\n`
  expect(await answers(200, line)).toMatchObject({ kind: 'refused' })
})
