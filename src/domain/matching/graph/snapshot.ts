import { bytes, integers, numbers } from './columns.ts'
import { deleted, FactTable, live, unseen } from './fact-table.ts'

/*
 * A snapshot holds the facts alone, column by column: components are rebuilt from them, so that no snapshot can hold
 * wrong ones. Nodes are numbered from 1 without gaps.
 *
 *   header    4 × float64: magic number, version, nodes, links
 *   revision  float64 a node
 *   degree    int32 a node: how many links it states
 *   length    int32 a node: of its id, in UTF-16 units
 *   target    int32 a link, in the order of their sources
 *   state     a byte a node
 *   ids       for every `idsInChunk` nodes: int32 for the bytes to come, then their ids as one UTF-8 text
 *
 * Numbers have the byte order of the machine; a machine with another one does not recognise the magic number.
 */
const magic = 0x67726170_68
const version = 1
const headerBytes = 32
const idsInChunk = 2 ** 16
const bytesInPart = 2 ** 20

/** The facts as they are now, whatever comes while it is read. */
export const writeFacts = (facts: FactTable): Iterable<Uint8Array> => {
  const { ids, links } = facts
  const names: string[] = []
  const renumbered = integers(facts.end)
  for (let node = 1; node < facts.end; node++) {
    const name = ids.name(node)
    if (name !== undefined) renumbered[node] = names.push(name)
  }
  const revision = numbers(names.length)
  const degree = integers(names.length)
  const length = integers(names.length)
  const target = integers(links.count)
  const state = bytes(names.length)
  let row = 0
  let stated = 0
  for (let node = 1; node < facts.end; node++) {
    if (!renumbered[node]) continue
    const before = stated
    for (let link = links.firstOut[node]!; link; link = links.nextOut[link]!)
      target[stated++] = renumbered[links.to[link]!]!
    revision[row] = facts.revision[node]!
    degree[row] = stated - before
    length[row] = names[row]!.length
    state[row] = facts.state[node]!
    row++
  }
  const header = Float64Array.of(magic, version, names.length, target.length)
  return inParts([header, revision, degree, length, target, state], names)
}

function* inParts(columns: readonly ArrayBufferView[], names: readonly string[]): Generator<Uint8Array> {
  for (const { buffer, byteOffset, byteLength } of columns)
    for (let at = 0; at < byteLength; at += bytesInPart)
      yield new Uint8Array(buffer, byteOffset + at, Math.min(bytesInPart, byteLength - at))
  const encoder = new TextEncoder()
  for (let row = 0; row < names.length; row += idsInChunk) {
    const text = encoder.encode(names.slice(row, row + idsInChunk).join(''))
    yield new Uint8Array(Int32Array.of(text.length).buffer)
    yield text
  }
}

/** Undefined where the bytes are not of this version, or nonsense. */
export const readFacts = (snapshot: Uint8Array, seed?: number): FactTable | undefined => {
  const next = reader(snapshot)
  const header = next(headerBytes)
  if (!header) return undefined
  const [itsMagic, itsVersion, nodes, stated] = new Float64Array(header)
  if (itsMagic !== magic || itsVersion !== version) return undefined
  if (!Number.isSafeInteger(nodes) || !Number.isSafeInteger(stated)) return undefined
  const revision = next(nodes! * 8)
  const degree = next(nodes! * 4)
  const length = next(nodes! * 4)
  const target = next(stated! * 4)
  const state = next(nodes!)
  if (!revision || !degree || !length || !target || !state) return undefined
  const facts = readIds(next, new Int32Array(length), seed)
  if (!facts || next(1)) return undefined
  return fill(
    facts,
    new Float64Array(revision),
    new Uint8Array(state),
    new Int32Array(degree),
    new Int32Array(target),
  )
}

type Next = (length: number) => ArrayBuffer | undefined

/** Gives the next bytes, in a buffer of their own: columns must begin at a multiple of their width. */
const reader = (snapshot: Uint8Array): Next => {
  let at = 0
  return (length) => {
    const end = at + length
    if (length < 0 || end > snapshot.length) return undefined
    const part = new Uint8Array(snapshot.subarray(at, end)).buffer
    at = end
    return part
  }
}

const readIds = (next: Next, length: Int32Array, seed?: number): FactTable | undefined => {
  const facts = new FactTable(seed)
  facts.reserve(length.length + 1)
  for (let row = 0; row < length.length; ) {
    const head = next(4)
    const text = head && next(new Int32Array(head)[0]!)
    const names = text && decoded(text)
    if (names === undefined) return undefined
    let from = 0
    for (const end = Math.min(row + idsInChunk, length.length); row < end; row++) {
      const to = from + length[row]!
      const id = names.slice(from, to)
      if (facts.ids.find(id)) return undefined
      facts.ids.add(id)
      from = to
    }
    if (from !== names.length) return undefined
  }
  return facts
}

const decoded = (text: ArrayBuffer): string | undefined => {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(text)
  } catch {
    return undefined
  }
}

const fill = (
  facts: FactTable,
  revision: Float64Array,
  state: Uint8Array,
  degree: Int32Array,
  target: Int32Array,
): FactTable | undefined => {
  const nodes = revision.length
  for (let row = 0; row < nodes; row++) {
    if (state[row]! > deleted) return undefined
    if (state[row] !== unseen) facts.setState(row + 1, state[row]!)
    facts.revision[row + 1] = revision[row]!
  }
  let stated = 0
  for (let row = 0; row < nodes; row++)
    for (const end = stated + degree[row]!; stated < end; stated++) {
      const to = target[stated]
      if (to === undefined || to < 1 || to > nodes || state[row] === unseen) return undefined
      facts.links.add(row + 1, to)
      if (state[row] === live) facts.addReference(to)
    }
  return stated === target.length ? facts : undefined
}
