import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createGraph, readGraph } from '#src/domain/matching/graph/graph.ts'
import { runs } from '../../../runs.ts'
import { batch, gone, graphOf, live, whole } from './drive.ts'

const some = () =>
  graphOf(
    live('A', 'B', 'X'),
    { ...live('B', 'é 𝄞'), revision: 2 ** 40 },
    gone('C', 'A', 'Y'),
    live('D', 'C'),
  )
const snapshot = () => Buffer.concat([...some().parts()])

it('what is read is what was written, also what sleeps', () => {
  const [graph, read] = [some(), readGraph(snapshot())!]
  expect(whole(read)).toEqual(whole(graph))
  expect([read.works, read.size, read.pending]).toEqual([4, 6, 0])
  expect(batch(read, live('C', 'A', 'Y'))).toEqual(['A B C D (X) (Y) (é 𝄞)'])
  expect(batch(read, live('A'), live('B'))).toEqual(['A C D (Y)', 'B', '-X', '-é 𝄞'])
})

it('an empty graph has one too', () => {
  const read = readGraph(Buffer.concat([...graphOf().parts()]))
  expect([read?.works, read?.size]).toEqual([0, 0])
})

it('it is that of the moment it was asked for, whatever comes while it is written', () => {
  const graph = some()
  const parts = graph.parts()
  batch(graph, live('A'), live('E', 'A'))
  expect(Buffer.concat([...parts])).toEqual(snapshot())
})

it('it is read from any place in a buffer', () => {
  const bytes = snapshot()
  const moved = new Uint8Array(bytes.length + 3)
  moved.set(bytes, 3)
  expect(whole(readGraph(moved.subarray(3))!)).toEqual(whole(some()))
})

it('many ids go in several pieces', () => {
  const works = Array.from({ length: 70_000 }, (_, n) => live(`w${n}é`, `w${n + 1}é`))
  const graph = createGraph()
  for (const work of works) graph.apply(work)
  graph.take()
  const read = readGraph(Buffer.concat([...graph.parts()]))!
  expect(read.size).toBe(70_001)
  expect(whole(read)).toEqual(whole(graph))
})

it('while something is to be published there is none: it would be forgotten', () => {
  const graph = some()
  graph.apply(live('E'))
  expect(() => graph.parts()).toThrow('take() it first')
})

it('another version, or nonsense, is not read', () => {
  const bytes = snapshot()
  const otherVersion = Buffer.from(bytes)
  otherVersion.writeDoubleLE(99, 8)
  expect(readGraph(otherVersion)).toBeUndefined()
  for (let length = 0; length < bytes.length; length++)
    expect(readGraph(bytes.subarray(0, length))).toBeUndefined()
  expect(readGraph(Buffer.concat([bytes, Buffer.of(0)]))).toBeUndefined()
})

it('damage is not read, or is some graph: it never throws or hangs', () => {
  const bytes = snapshot()
  fc.assert(
    fc.property(fc.nat(bytes.length - 1), fc.nat(255), (at, value) => {
      const damaged = Buffer.from(bytes)
      damaged[at] = value
      const read = readGraph(damaged)
      if (read) expect(whole(read).flatMap(({ members }) => members)).toHaveLength(read.works)
    }),
    { numRuns: runs(3000) },
  )
})
