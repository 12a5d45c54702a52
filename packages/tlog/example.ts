import { generateKeyPairSync } from 'node:crypto'
import { checkpointText, inclusionNodes, noteText, openNote, parseCheckpoint, signedNote } from '@fonds/tlog'
import { emptyTree, isIncluded, leafHash, nodeHashes, noteSigner } from '@fonds/tlog/compute'

const tree = emptyTree()
for (const entry of ['a deposit came', 'it was stored', 'it was checked'])
  tree.append(leafHash(Buffer.from(entry)))

const log = noteSigner('archive.example/log', generateKeyPairSync('ed25519').privateKey)
const signed = noteText(
  signedNote(checkpointText({ origin: log.verifier.name, size: tree.size, root: tree.root() }), [log]),
)
console.log(signed.split('\n', 3).join('\n'))

const [tile] = tree.partial()
const proof = await nodeHashes(inclusionNodes(1n, 3n), 3n, async () => tile!.bytes)
const { size, root } = parseCheckpoint(openNote(signed, [log.verifier]).text)
for (const entry of ['it was stored', 'it was lost'])
  console.log(entry, isIncluded({ leaf: leafHash(Buffer.from(entry)), index: 1n, size, proof, root }))
