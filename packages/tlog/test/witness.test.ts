import {
  type AddCheckpoint,
  addCheckpointText,
  type Checkpoint,
  checkpointText,
  consistencyNodes,
  emptyRoot,
  InvalidNote,
  type Note,
  noteText,
  parseAddCheckpoint,
  parseCheckpoint,
  signatureLine,
  signedNote,
  UntrustedNote,
  verifiedSignatures,
} from '@fonds/tlog'
import { cosigned, cosigner, judgeCheckpoint, nodeHashes, noteSigner, withAnswer } from '@fonds/tlog/compute'
import { describe, expect, it } from 'vitest'
import { grown } from './grown.ts'
import { ed25519, mlDsa44 } from './keys.ts'
import { entriesOf, treeHash } from './naive-tree.ts'

const origin = 'archive.example/log'
const log = noteSigner(origin, ed25519())
const whole = grown(entriesOf(20))

const headOf = (size: number): Checkpoint => ({ origin, size: BigInt(size), root: treeHash(entriesOf(size)) })
const noteOf = (head: Checkpoint, by = log): Note => signedNote(checkpointText(head), [by])
const requestOf = async (from: number, to: number, note = noteOf(headOf(to))): Promise<AddCheckpoint> => ({
  oldSize: BigInt(from),
  proof: from === 0 ? [] : await nodeHashes(consistencyNodes(BigInt(from), BigInt(to)), 20n, whole.read),
  note,
})
const judge = (request: AddCheckpoint, latest?: Checkpoint) =>
  judgeCheckpoint(
    request,
    (name) => (name === origin ? [log.verifier] : undefined),
    (name) => (name === origin ? latest : undefined),
  )

describe('a request to cosign a checkpoint', () => {
  it('is written and read', async () => {
    const request = await requestOf(5, 13)
    const text = addCheckpointText(request)
    expect(text).toMatch(/^old 5\n([A-Za-z0-9+/=]{44}\n)+\narchive\.example\/log\n13\n/)
    const read = parseAddCheckpoint(Buffer.from(text))
    expect(read.oldSize).toBe(5n)
    expect(read.proof).toEqual(request.proof.map((hash) => Uint8Array.from(hash)))
    expect(noteText(read.note)).toBe(noteText(request.note))
  })

  it.each([
    ['old 05\n\n', 'old <size>'],
    ['old -1\n\n', 'old <size>'],
    ['old\n\n', 'old <size>'],
    ['5\n\n', 'old <size>'],
    ['old 5\nAAAA\n\n', 'among its hashes'],
    [`old 5\n${`${Buffer.alloc(32).toString('base64')}\n`.repeat(64)}\n`, 'more than 63'],
  ])('that begins with %j is malformed', (begin, reason) => {
    const body = Buffer.from(begin + noteText(noteOf(headOf(13))))
    expect(() => parseAddCheckpoint(body)).toThrow(InvalidNote)
    expect(() => parseAddCheckpoint(body)).toThrow(reason)
  })

  it('is good at first sight, and where the tree grew to it', async () => {
    expect(judge(await requestOf(0, 13))).toMatchObject({ kind: 'good', checkpoint: { size: 13n } })
    for (const [from, to] of [
      [1, 2],
      [5, 13],
      [8, 16],
      [13, 13],
      [16, 20],
    ] as const)
      expect([from, to, judge(await requestOf(from, to), headOf(from)).kind]).toEqual([from, to, 'good'])
    const empty = { origin, size: 0n, root: emptyRoot }
    expect(judge(await requestOf(0, 0, noteOf(empty))).kind).toBe('good')
  })

  it('of a log that nobody knows, or that no key of it signed, is refused', async () => {
    const other = noteSigner('other.example/log', ed25519())
    const theirs = noteOf({ ...headOf(5), origin: 'other.example/log' }, other)
    expect(judge(await requestOf(0, 5, theirs))).toEqual({ kind: 'unknown', origin: 'other.example/log' })
    expect(judge(await requestOf(0, 5, noteOf(headOf(5), other))).kind).toBe('unsigned')
    const forged = noteOf(headOf(5), noteSigner(origin, ed25519()))
    expect(judge(await requestOf(0, 5, forged)).kind).toBe('unsigned')
    const wrong = { ...noteOf(headOf(5)), text: checkpointText(headOf(6)) }
    expect(judge(await requestOf(0, 6, wrong))).toMatchObject({ kind: 'unsigned' })
  })

  it('with another size than the last is answered with the last', async () => {
    expect(judge(await requestOf(0, 13), headOf(5))).toEqual({ kind: 'other-size', size: 5n })
    expect(judge(await requestOf(5, 13))).toEqual({ kind: 'other-size', size: 0n })
    expect(judge(await requestOf(13, 20), headOf(16))).toEqual({ kind: 'other-size', size: 16n })
    expect(judge({ ...(await requestOf(5, 5)), oldSize: 6n }, headOf(5)).kind).toBe('malformed')
  })

  it('is not proven by another proof, by one too many, or by a root that is of no tree', async () => {
    const request = await requestOf(5, 13)
    const unproven = { kind: 'unproven', isFork: false }
    expect(judge({ ...request, proof: request.proof.toReversed() }, headOf(5))).toMatchObject(unproven)
    expect(judge({ ...request, proof: request.proof.slice(1) }, headOf(5))).toMatchObject(unproven)
    expect(judge({ ...(await requestOf(0, 13)), proof: request.proof })).toMatchObject(unproven)
    expect(judge({ ...(await requestOf(5, 5)), proof: request.proof }, headOf(5))).toMatchObject(unproven)
    const text = checkpointText({ origin, size: 0n, root: treeHash(entriesOf(3)) })
    expect(judge(await requestOf(0, 0, signedNote(text, [log])))).toMatchObject(unproven)
  })

  it('with a second root of one size is a fork', async () => {
    const second = noteOf({ ...headOf(13), root: treeHash(entriesOf(12)) })
    expect(judge({ oldSize: 13n, proof: [], note: second }, headOf(13))).toMatchObject({
      kind: 'unproven',
      isFork: true,
    })
  })

  it('whose good checkpoint carries signatures of others is cosigned without them', async () => {
    const { note } = await requestOf(0, 13)
    const more = {
      ...note,
      signatures: [...note.signatures, noteSigner('x.example', ed25519()).sign(note.text)],
    }
    const judged = judge(await requestOf(0, 13, more))
    expect(judged.kind === 'good' && noteText(judged.note)).toBe(noteText(note))
  })
})

describe('an answer of a witness', () => {
  const seconds = () => 1_764_000_000
  const witness = [cosigner('w.example', ed25519(), seconds), cosigner('w.example', mlDsa44(), seconds)]
  const verifiers = witness.map(({ verifier }) => verifier)
  const note = noteOf(headOf(13))
  const linesOf = (of: Note) => of.signatures.map(signatureLine).join('')
  const answer = linesOf({ ...note, signatures: cosigned(note, witness).signatures.slice(1) })

  it('is taken into the note, an older line of the same key replaced', () => {
    const once = withAnswer(note, answer, verifiers)
    expect(verifiedSignatures(once, [log.verifier, ...verifiers])).toHaveLength(3)
    const again = withAnswer(once, answer, verifiers)
    expect(again.signatures).toHaveLength(3)
    expect(parseCheckpoint(again.text)).toEqual(parseCheckpoint(note.text))
  })

  it('of a key that is not the witness’s counts nothing, and a wrong one of its key refuses all', () => {
    const stranger = cosigner('w.example', ed25519(), seconds)
    const theirs = linesOf({ ...note, signatures: [stranger.sign(note.text)] })
    expect(() => withAnswer(note, theirs, verifiers)).toThrow(UntrustedNote)
    expect(withAnswer(note, theirs + answer, verifiers).signatures).toHaveLength(3)
    const wrong = linesOf({ ...note, signatures: [witness[0]!.sign(checkpointText(headOf(12)))] })
    expect(() => withAnswer(note, wrong, verifiers)).toThrow(UntrustedNote)
    expect(() => withAnswer(note, 'what\n', verifiers)).toThrow(InvalidNote)
    expect(() => withAnswer(note, '', verifiers)).toThrow(UntrustedNote)
  })
})
