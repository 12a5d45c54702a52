import { consistencyNodes, emptyRoot, inclusionNodes } from '@fonds/tlog'
import {
  edgeNodes,
  growingTree,
  isConsistent as isConsistentHere,
  isIncluded,
  leafHash,
  nodeHashes,
  treeEdge,
} from '@fonds/tlog/compute'
import { isConsistent as isConsistentInBrowsers } from '@fonds/tlog/web'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runs } from '../../../test/runs.ts'
import { grown } from './grown.ts'
import { entriesOf, path, proof, treeHash } from './naive-tree.ts'

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')
const leaves = ['', '00', '10', '2021', '3031', '40414243', '5051525354555657']

/** By Node's hashes and by WebCrypto: one answer. */
const isConsistent = async (claim: Parameters<typeof isConsistentHere>[0]): Promise<boolean> => {
  const isSo = isConsistentHere(claim)
  expect(await isConsistentInBrowsers(claim)).toBe(isSo)
  return isSo
}

/** Sizes at and around full tiles, and any in between. */
const sizes = fc.oneof(fc.integer({ min: 1, max: 40 }), fc.constantFrom(255, 256, 257, 511, 512, 600))

describe('a tree (RFC 6962)', () => {
  it('Q10: has the roots that Certificate Transparency publishes for its test leaves', () => {
    const roots = leaves.map((_, i) =>
      hex(grown(leaves.slice(0, i + 1).map((leaf) => Buffer.from(leaf, 'hex'))).tree.root()),
    )
    expect(roots).toEqual([
      '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
      'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
      'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
      'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
      '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
      '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
      'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
    ])
  })

  it('has the same root when it goes on from its right edge, and another for an edge that is not its own', async () => {
    await fc.assert(
      fc.asyncProperty(sizes, fc.nat(), async (size, seed) => {
        const entries = entriesOf(size)
        const stopped = seed % (size + 1)
        const { read } = grown(entries)
        const hashes = await nodeHashes(edgeNodes(BigInt(stopped)), BigInt(size), read)
        const rootFrom = (edge: readonly Uint8Array[]) => {
          const tree = treeEdge(BigInt(stopped), edge)
          for (const entry of entries.slice(stopped)) tree.append(leafHash(entry))
          expect(tree.size).toBe(BigInt(size))
          return hex(tree.root())
        }
        expect(rootFrom(hashes)).toBe(hex(treeHash(entries)))
        if (stopped > 0)
          expect(rootFrom([leafHash(Buffer.of(1)), ...hashes.slice(1)])).not.toBe(hex(treeHash(entries)))
        expect(() => treeEdge(BigInt(stopped), [...hashes, emptyRoot])).toThrow(RangeError)
      }),
      { numRuns: runs(60) },
    )
  })

  it('has the root that the definition gives, however it was grown', async () => {
    await fc.assert(
      fc.asyncProperty(sizes, fc.nat(), async (size, seed) => {
        const entries = entriesOf(size)
        const stopped = seed % (size + 1)
        const first = grown(entries.slice(0, stopped))
        const again = await growingTree(BigInt(stopped), first.read)
        for (const entry of entries.slice(stopped)) again.append(leafHash(entry))
        expect(again.size).toBe(BigInt(size))
        expect(hex(again.root())).toBe(hex(treeHash(entries)))
      }),
      { numRuns: runs(40) },
    )
  })

  it('a tree that is opened of a tile that is too short is refused', async () => {
    const read = async () => new Uint8Array(32)
    await expect(growingTree(2n, read)).rejects.toThrow('a tile of level 0 has 32 of 64 bytes')
  })
})

describe('proofs', () => {
  it('of a leaf are those of the definition, and hold for that leaf, index and size alone', async () => {
    await fc.assert(
      fc.asyncProperty(sizes, fc.nat(), fc.nat(), async (size, some, other) => {
        const entries = entriesOf(size)
        const { tree, read } = grown(entries)
        const index = some % size
        const nodes = inclusionNodes(BigInt(index), BigInt(size))
        const hashes = await nodeHashes(nodes, BigInt(size), read)
        expect(hashes.map(hex)).toEqual(path(index, entries).map(hex))
        const claim = { leaf: leafHash(entries[index]!), proof: hashes, root: tree.root() }
        const holds = (index: number, changed = {}) =>
          isIncluded({ ...claim, index: BigInt(index), size: BigInt(size), ...changed })
        expect(holds(index)).toBe(true)
        const wrong = other % (size + 1)
        if (wrong !== index) expect(holds(wrong)).toBe(false)
        expect(holds(-1)).toBe(false)
        expect(holds(index, { leaf: leafHash(Buffer.from('another')) })).toBe(false)
        expect(holds(index, { proof: [...hashes, emptyRoot] })).toBe(false)
        expect(holds(index, { root: emptyRoot })).toBe(false)
        if (size > 1) expect(holds(index, { proof: hashes.slice(1) })).toBe(false)
      }),
      { numRuns: runs(60) },
    )
  })

  it('of an older tree are those of the definition, and hold for these two roots alone', async () => {
    await fc.assert(
      fc.asyncProperty(sizes, fc.nat(), async (size, some) => {
        const entries = entriesOf(size)
        const { tree, read } = grown(entries)
        const oldSize = 1 + (some % size)
        const oldRoot = treeHash(entries.slice(0, oldSize))
        const nodes = consistencyNodes(BigInt(oldSize), BigInt(size))
        const hashes = await nodeHashes(nodes, BigInt(size), read)
        expect(hashes.map(hex)).toEqual(proof(oldSize, entries).map(hex))
        const claim = {
          oldSize: BigInt(oldSize),
          oldRoot,
          size: BigInt(size),
          root: tree.root(),
          proof: hashes,
        }
        expect(await isConsistent(claim)).toBe(true)
        expect(await isConsistent({ ...claim, oldRoot: emptyRoot })).toBe(false)
        expect(await isConsistent({ ...claim, root: emptyRoot })).toBe(false)
        expect(await isConsistent({ ...claim, proof: [...hashes, emptyRoot] })).toBe(false)
        if (hashes.length > 0) expect(await isConsistent({ ...claim, proof: hashes.slice(1) })).toBe(false)
        const changed = entries.with(some % oldSize, Buffer.from('another'))
        expect(await isConsistent({ ...claim, oldRoot: treeHash(changed.slice(0, oldSize)) })).toBe(false)
      }),
      { numRuns: runs(60) },
    )
  })

  it('Q106: of one size have no hashes, and compare the roots', async () => {
    const root = treeHash(entriesOf(3))
    const same = { oldSize: 3n, oldRoot: root, size: 3n, root, proof: [] }
    expect(await isConsistent(same)).toBe(true)
    expect(await isConsistent({ ...same, oldRoot: emptyRoot })).toBe(false)
    expect(await isConsistent({ ...same, proof: [root] })).toBe(false)
  })

  it('Q107: of the empty tree are not made, and are checked against its one root', async () => {
    expect(() => consistencyNodes(0n, 3n)).toThrow('nothing is shown of a tree of 0 leaves')
    const claim = { oldSize: 0n, oldRoot: emptyRoot, size: 3n, root: treeHash(entriesOf(3)), proof: [] }
    expect(await isConsistent(claim)).toBe(true)
    expect(await isConsistent({ ...claim, oldRoot: claim.root })).toBe(false)
    expect(await isConsistent({ ...claim, size: -1n })).toBe(false)
    expect(await isConsistent({ ...claim, size: 0n })).toBe(false)
    expect(await isConsistent({ ...claim, size: 0n, root: emptyRoot })).toBe(true)
  })

  it('are not made of a leaf or a size that is not there', () => {
    expect(() => inclusionNodes(3n, 3n)).toThrow('a tree of 3 leaves has no leaf 3')
    expect(() => consistencyNodes(4n, 3n)).toThrow('nothing is shown of a tree of 4 leaves in one of 3')
  })
})
