import { createHash, generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  addCheckpointText,
  checkpointText,
  consistencyNodes,
  noteText,
  openNote,
  parseCheckpoint,
  signedNote,
} from '@fonds/tlog'
import {
  cosignedAt,
  cosigner,
  emptyTree,
  type FullTile,
  leafHash,
  nodeHashes,
  noteSigner,
  withAnswer,
} from '@fonds/tlog/compute'
import { expect, it, onTestFinished } from 'vitest'
import { openWitness } from '../../../infra/proof/witness.ts'

const origin = 'archive.example/log'
const log = noteSigner(origin, generateKeyPairSync('ed25519').privateKey)
const seconds = () => 1_764_500_000
const signers = (['ed25519', 'ml-dsa-44'] as const).map((type) =>
  cosigner('partner.example/witness', generateKeyPairSync(type as 'ed25519').privateKey, seconds),
)
const verifiers = signers.map(({ verifier }) => verifier)

/** The head of a log of so many entries, and the proof from an older one. */
const logOf = (size: number, word = 'entry') => {
  const tree = emptyTree()
  for (let i = 0; i < size; i++) tree.append(leafHash(Buffer.from(`${word} ${i}`)))
  const [tile] = tree.partial()
  return { note: signedNote(checkpointText({ origin, size: BigInt(size), root: tree.root() }), [log]), tile }
}
const requestOf = async (from: number, to: number, word?: string): Promise<Buffer> => {
  const { note, tile } = logOf(to, word)
  const nodes = from === 0 || from === to ? [] : consistencyNodes(BigInt(from), BigInt(to))
  const proof = await nodeHashes(nodes, BigInt(to), async () => (tile as FullTile).bytes)
  return Buffer.from(addCheckpointText({ oldSize: BigInt(from), proof, note }))
}

const open = (file: string) => {
  const witness = openWitness(file, {
    keysOf: (name) => (name === origin ? [log.verifier] : undefined),
    signers,
    now: () => '2026-11-30T12:00:00.000Z',
  })
  onTestFinished(() => witness.close())
  return witness
}
const useWitness = () => {
  const folder = mkdtempSync(join(tmpdir(), 'fonds-witness-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'witness.db')
  return { file, witness: open(file) }
}
const originHash = createHash('sha256').update(origin).digest('hex')

it('Q18: cosigns what a log grew to, by both keys, with the time, and serves it', async () => {
  const { witness } = useWitness()
  expect(witness.checkpoint(originHash)).toBeUndefined()
  for (const [from, to] of [
    [0, 5],
    [5, 13],
    [13, 13],
  ] as const) {
    const { status, body } = await witness.addCheckpoint(await requestOf(from, to))
    expect(status).toBe(200)
    const note = withAnswer(logOf(to).note, body, verifiers)
    const { verified } = openNote(noteText(note), [log.verifier, ...verifiers])
    expect(verified.map(({ verifier }) => verifier.type)).toEqual([
      'ed25519',
      'ed25519-cosignature',
      'ml-dsa-44-cosignature',
    ])
    for (const { verifier, signature } of verified.slice(1))
      expect(cosignedAt(verifier.type, signature.bytes)).toBe(BigInt(seconds()))
    expect(witness.checkpoint(originHash)).toBe(noteText(note))
  }
})

it('Q18: answers 400, 403, 404, 409 and 422, and cosigns none of it', async () => {
  const { witness } = useWitness()
  await witness.addCheckpoint(await requestOf(0, 5))
  const foreign = signedNote(
    checkpointText({ origin: 'x.example', size: 1n, root: leafHash(Buffer.from('a')) }),
    [noteSigner('x.example', generateKeyPairSync('ed25519').privateKey)],
  )
  const unsigned = { ...logOf(13).note, text: logOf(12).note.text }
  const bodies = {
    400: Buffer.from('old 05\n\n'),
    403: Buffer.from(addCheckpointText({ oldSize: 5n, proof: [], note: unsigned })),
    404: Buffer.from(addCheckpointText({ oldSize: 0n, proof: [], note: foreign })),
    409: await requestOf(0, 13),
    422: Buffer.from(addCheckpointText({ oldSize: 5n, proof: [], note: logOf(13).note })),
  }
  for (const [status, body] of Object.entries(bodies))
    expect([status, (await witness.addCheckpoint(body)).status]).toEqual([status, Number(status)])
  expect(await witness.addCheckpoint(bodies[409])).toEqual({
    status: 409,
    contentType: 'text/x.tlog.size',
    body: '5\n',
  })
  expect(parseCheckpoint(openNote(witness.checkpoint(originHash)!, [log.verifier]).text).size).toBe(5n)
})

it('Q3: keeps both heads of a log that shows two histories', async () => {
  const { witness, file } = useWitness()
  await witness.addCheckpoint(await requestOf(0, 13))
  const { status, body } = await witness.addCheckpoint(await requestOf(13, 13, 'another'))
  expect(status).toBe(422)
  expect(body).toBe(
    'the checkpoint has another root than the checkpoint of 13 leaves that was cosigned before\n',
  )
  await witness.addCheckpoint(await requestOf(13, 13, 'another'))
  const [fork, ...more] = open(file).evidence()
  expect(more).toEqual([])
  expect(fork).toMatchObject({ origin, isFork: true, at: '2026-11-30T12:00:00.000Z' })
  for (const head of [fork!.cosigned!, fork!.refused])
    expect(parseCheckpoint(openNote(head, [log.verifier]).text).size).toBe(13n)
  expect(fork!.refused).toBe(noteText(logOf(13, 'another').note))
})

it('Q18: of two requests from one old head one is cosigned, also by two processes, and after a restart', async () => {
  const { witness, file } = useWitness()
  await witness.addCheckpoint(await requestOf(0, 5))
  const other = open(file)
  const answers = await Promise.all([
    witness.addCheckpoint(await requestOf(5, 13)),
    witness.addCheckpoint(await requestOf(5, 12, 'entry')),
    other.addCheckpoint(await requestOf(5, 11)),
  ])
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409])
  const { size } = parseCheckpoint(openNote(open(file).checkpoint(originHash)!, [log.verifier]).text)
  for (const { status, body } of answers) if (status === 409) expect(body).toBe(`${size}\n`)
})
