import {
  checkpointText,
  InvalidNote,
  inclusionNodes,
  noteText,
  openNote,
  parseCheckpoint,
  parseProofFile,
  proofFileText,
  signedNote,
} from '@fonds/tlog'
import { isIncluded, leafHash, nodeHashes, noteSigner } from '@fonds/tlog/compute'
import { expect, it } from 'vitest'
import { grown } from './grown.ts'
import { ed25519 } from './keys.ts'
import { entriesOf } from './naive-tree.ts'

const entries = entriesOf(300)
const log = noteSigner('archive.example/fonds', ed25519())

const made = async (extra?: Uint8Array) => {
  const { tree, read } = grown(entries)
  const checkpoint = noteText(
    signedNote(checkpointText({ origin: log.verifier.name, size: tree.size, root: tree.root() }), [log]),
  )
  const proof = await nodeHashes(inclusionNodes(7n, tree.size), tree.size, read)
  return proofFileText({ ...(extra && { extra }), index: 7n, proof, checkpoint })
}

it('Q16: a proof in a file is checked with a key and the entry alone', async () => {
  for (const extra of [undefined, Buffer.from('{"type":"FileIndexed"}')]) {
    const file = parseProofFile(await made(extra))
    expect(file.extra && Buffer.from(file.extra)).toEqual(extra)
    const { size, root } = parseCheckpoint(openNote(file.checkpoint, [log.verifier]).text)
    const leaf = leafHash(entries[7]!)
    expect(isIncluded({ leaf, index: file.index, size, proof: file.proof, root })).toBe(true)
    expect(isIncluded({ leaf, index: 8n, size, proof: file.proof, root })).toBe(false)
  }
})

it('a proof of a tree with one leaf has no hashes', () => {
  const file = parseProofFile('c2sp.org/tlog-proof@v1\nindex 0\n\ncheckpoint')
  expect(file).toEqual({ index: 0n, proof: [], checkpoint: 'checkpoint' })
})

it('a file of another form is refused', async () => {
  const text = await made()
  const others = [
    '',
    text.replace('@v1', '@v2'),
    text.replace('index 7', 'index 07'),
    text.replace('index 7\n', ''),
    text.replace('index 7', 'extra !\nindex 7'),
    text.replace('index 7\n', 'index 7\nAAAA\n'),
    text.replace('index 7\n', `index 7\n${`${Buffer.alloc(32).toString('base64')}\n`.repeat(64)}`),
    text.replaceAll('\n\n', '\n'),
  ]
  for (const other of others) expect(() => parseProofFile(other), other.slice(0, 60)).toThrow(InvalidNote)
})
