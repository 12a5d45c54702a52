import {
  entriesIn,
  entryBundle,
  inclusionNodes,
  maxEntryBytes,
  parseTilePath,
  partialTiles,
  tilePath,
} from '@fonds/tlog'
import { nodeHashes } from '@fonds/tlog/compute'
import { expect, it } from 'vitest'
import { grown } from './grown.ts'
import { entriesOf } from './naive-tree.ts'

it('Q13: a tree of 70,000 leaves has the tiles that c2sp.org/tlog-tiles counts', () => {
  const { files, tree } = grown(entriesOf(70_000))
  const full = [...files.keys()].filter((path) => !path.includes('.p/'))
  expect(full.filter((path) => path.startsWith('tile/0/'))).toHaveLength(273)
  expect(full.filter((path) => path.startsWith('tile/1/'))).toEqual(['tile/1/000'])
  expect(partialTiles(tree.size).map(tilePath)).toEqual([
    'tile/0/273.p/112',
    'tile/1/001.p/17',
    'tile/2/000.p/1',
  ])
  expect([...files.keys()].filter((path) => path.includes('.p/'))).toEqual(
    partialTiles(70_000n).map(tilePath),
  )
  expect([...files.values()].every(({ length }) => length <= 8192 && length % 32 === 0)).toBe(true)
})

it('Q13: a path has groups of three digits, and one form', () => {
  expect(tilePath({ level: 0, index: 1_234_067n, width: 256 })).toBe('tile/0/x001/x234/067')
  expect(tilePath({ level: 'entries', index: 1000n, width: 7 })).toBe('tile/entries/x001/000.p/7')
  for (const path of ['tile/0/x001/000', 'tile/63/000.p/255', 'tile/entries/999'])
    expect(tilePath(parseTilePath(path)!)).toBe(path)
})

it('Q101: a path of another form is none', () => {
  const others = [
    ...[
      'tile/0/x000/001',
      'tile/0/001.p/0',
      'tile/0/001.p/256',
      'tile/0/001.p/007',
      'tile/0/1000',
      'tile/0/x001',
    ],
    ...[
      'tile/00/001',
      'tile/64/001',
      'tile/8/0/000',
      'tile/0/001.p/1/',
      '/tile/0/001',
      'tile/entry/001',
      'checkpoint',
    ],
  ]
  for (const path of others) expect(parseTilePath(path), path).toBeUndefined()
})

it('Q102: a full tile is taken in the place of a partial one; a short one is refused', async () => {
  const { files } = grown(entriesOf(512))
  const nodes = inclusionNodes(3n, 300n)
  const wider = await nodeHashes(nodes, 300n, async (tile) =>
    tile.level === 0
      ? files.get(tilePath({ ...tile, width: 256 }))!
      : files.get('tile/1/000.p/2')!.subarray(0, 32),
  )
  const exact = grown(entriesOf(300))
  expect(wider).toEqual(await nodeHashes(nodes, 300n, exact.read))
  const short = async () => new Uint8Array(32)
  await expect(nodeHashes(nodes, 300n, short)).rejects.toThrow('the tile ends before')
})

it('Q104: a bundle holds what was put in, empty and largest entries, too, and is counted', () => {
  const entries = [new Uint8Array(), Buffer.from('one'), Buffer.alloc(maxEntryBytes, 7)]
  const bytes = entryBundle(entries)
  expect(bytes.subarray(0, 2)).toEqual(Buffer.from([0, 0]))
  const read = (width: number, given = bytes) => entriesIn(given, { level: 'entries', index: 0n, width })
  expect(read(3)?.map((entry) => Buffer.from(entry))).toEqual(entries.map((entry) => Buffer.from(entry)))
  expect(read(2)).toBeUndefined()
  expect(read(4)).toBeUndefined()
  expect(read(3, bytes.subarray(0, -1))).toBeUndefined()
  expect(read(1, Buffer.from([0]))).toBeUndefined()
  expect(() => entryBundle([Buffer.alloc(maxEntryBytes + 1)])).toThrow(
    'an entry has 65536 bytes, more than 65535',
  )
})
