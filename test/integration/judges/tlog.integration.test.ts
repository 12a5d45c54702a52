import { execFileSync, spawnSync } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import {
  type Bundle,
  checkpointText,
  consistencyNodes,
  entryBundle,
  inclusionNodes,
  noteText,
  openNote,
  signedNote,
  tilePath,
  tileWidth,
  withSignatures,
} from '@fonds/tlog'
import {
  cosigner,
  emptyTree,
  type FullTile,
  leafHash,
  nodeHashes,
  noteSigner,
  parseVerifierKey,
  verifierKey,
} from '@fonds/tlog/compute'
import { describe, expect, it, onTestFinished } from 'vitest'
import { server } from '../servers.ts'

/* Logs of ours, read by Go's own packages and by torchwood; and a note of theirs, read by ours. */

const go = server('tlog-go')
const name = 'archive.example/fonds'
const log = noteSigner(name, generateKeyPairSync('ed25519').privateKey)
const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')

/** A log in a folder, as a web server would serve it. */
const written = (entries: readonly Uint8Array[]) => {
  const folder = mkdtempSync(join(tmpdir(), 'fonds-tlog-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const files = new Map<string, Uint8Array>()
  const tree = emptyTree()
  const store = (tile: FullTile) => files.set(tilePath(tile), tile.bytes)
  for (const entry of entries) tree.append(leafHash(entry)).forEach(store)
  tree.partial().forEach(store)
  for (let at = 0; at < entries.length; at += tileWidth) {
    const own = entries.slice(at, at + tileWidth)
    const bundle: Bundle = { level: 'entries', index: BigInt(at / tileWidth), width: own.length }
    files.set(tilePath(bundle), entryBundle(own))
  }
  const checkpoint = checkpointText({ origin: name, size: tree.size, root: tree.root() })
  files.set('checkpoint', Buffer.from(noteText(signedNote(checkpoint, [log]))))
  for (const [path, bytes] of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), bytes)
  }
  const read = async (tile: Omit<FullTile, 'bytes'>) => files.get(tilePath(tile))!
  return { folder, tree, checkpoint, read }
}

const entriesOf = (count: number) => Array.from({ length: count }, (_, i) => Buffer.from(`entry ${i}`))

describe.skipIf('absent' in go)('a log', () => {
  const address = 'absent' in go ? '' : go.address
  const judge = (args: readonly string[], input = '') =>
    execFileSync(address, [...args], { input, encoding: 'utf8', stdio: 'pipe', maxBuffer: 1 << 26 })
  const refuses = (args: readonly string[], input: string) => {
    const { status, stderr } = spawnSync(address, [...args], { input, encoding: 'utf8' })
    return status === 1 && stderr !== ''
  }

  it.each([1, 255, 256, 257, 700])(
    'Q13, Q14: of %i entries is read, and checked against its checkpoint',
    (count) => {
      const { folder } = written(entriesOf(count))
      const lines = judge(['folder', folder, verifierKey(log.verifier)])
        .trimEnd()
        .split('\n')
      expect(lines).toEqual(entriesOf(count).map((entry, i) => `${i} ${JSON.stringify(entry.toString())}`))
    },
  )

  it('with one byte of an entry changed is refused', () => {
    const { folder } = written(entriesOf(300))
    writeFileSync(
      join(folder, 'tile/entries/001.p/44'),
      entryBundle(entriesOf(300).slice(256).with(3, Buffer.from('x'))),
    )
    expect(refuses(['folder', folder, verifierKey(log.verifier)], '')).toBe(true)
  })

  it('Q106: has proofs that hold there, and fail there with another index', async () => {
    const { tree, read } = written(entriesOf(700))
    const [size, root] = [Number(tree.size), base64(tree.root())]
    const hashes = (nodes: ReturnType<typeof inclusionNodes>) => nodeHashes(nodes, tree.size, read)
    for (const index of [0, 255, 256, 699]) {
      const proof = (await hashes(inclusionNodes(BigInt(index), tree.size))).map(base64)
      const claim = { size, root, index, leaf: base64(leafHash(entriesOf(700)[index]!)), proof }
      expect(judge(['leaf'], JSON.stringify(claim))).toBe('good\n')
      expect(refuses(['leaf'], JSON.stringify({ ...claim, index: index ^ 1 }))).toBe(true)
    }
    for (const oldSize of [1, 256, 300, 700]) {
      const proof = (await hashes(consistencyNodes(BigInt(oldSize), tree.size))).map(base64)
      const oldRoot = base64(written(entriesOf(oldSize)).tree.root())
      const claim = { size, root, oldSize, oldRoot, proof }
      expect(judge(['tree'], JSON.stringify(claim))).toBe('good\n')
      expect(
        refuses(
          ['tree'],
          JSON.stringify({ ...claim, oldRoot: root.replace(/^./, root[0] === 'A' ? 'B' : 'A') }),
        ),
      ).toBe(true)
    }
  })

  it('Q97: signs notes that are read beside lines of ML-DSA-44, and cosigns with a time', () => {
    const { checkpoint } = written(entriesOf(3))
    const seconds = () => 1_764_000_000
    const ed = cosigner('w.example/ed', generateKeyPairSync('ed25519').privateKey, seconds)
    const ml = cosigner('w.example/ml', generateKeyPairSync('ml-dsa-44').privateKey, seconds)
    const note = withSignatures(signedNote(checkpoint, [log]), [ml.sign(checkpoint), ed.sign(checkpoint)])
    expect(judge(['note', verifierKey(log.verifier)], noteText(note))).toBe(checkpoint)
    expect(judge(['cosignature', verifierKey(ed.verifier)], noteText(note))).toBe('1764000000\n')
    expect(refuses(['note', verifierKey(log.verifier)], noteText(note).replace('\n3\n', '\n4\n'))).toBe(true)
  })

  it('reads a note that Go signed', () => {
    const [, key, note] = /^(.*)\n([\s\S]*)$/.exec(judge(['sign', 'go.example/log'], 'some text\n')) ?? []
    expect(openNote(note!, [parseVerifierKey(key!)]).text).toBe('some text\n')
    expect(() => openNote(note!.replace('some', 'other'), [parseVerifierKey(key!)])).toThrow('that is wrong')
  })
})
