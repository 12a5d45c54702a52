import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Bundle, bundleAt, entriesIn, type Tile, tilePath, tileWidth } from '@fonds/tlog'
import { isSystemError } from '@fonds/toolbox'
import * as t from 'io-ts'

/** An export, or a part of it, is not of its form. The message is a sentence. */
export class UnreadableExport extends Error {
  override readonly name = 'UnreadableExport'
}

/** Half of a surrogate pair has no bytes in UTF-8: what was written for it could be those of another text. */
export const WellFormed = t.refinement(t.string, (text) => text.isWellFormed(), 'text in Unicode')

const Bytes = t.union([WellFormed, t.type({ base64: t.string })])

const Line = t.intersection([
  t.type({ index: t.Int, entry: WellFormed }),
  t.partial({ data: Bytes, metadata: Bytes, proof: t.array(t.string) }),
])
export type ExportedLine = t.TypeOf<typeof Line>

const Row = t.type({ index: t.Int, entry: WellFormed, proof: t.array(t.string) })

/** The leaf in which the archive stated the newest leaves of streams, and rows of it. */
const Stated = t.intersection([Row, t.type({ data: WellFormed, rows: t.array(Row) })])
export type StatedParts = t.TypeOf<typeof Stated>

const Things = t.intersection([
  t.type({
    form: t.literal('fonds.export/v1'),
    of: t.literal('things'),
    /** Streams as `leafName` has them. */
    things: t.refinement(
      t.array(t.type({ thing: WellFormed, streams: t.array(WellFormed) })),
      (things) => things.some(({ streams }) => streams.length > 0),
      'things that have a stream',
    ),
  }),
  t.partial({
    rest: t.intersection([t.type({ from: t.Int, before: t.array(t.string) }), t.partial({ stated: Stated })]),
  }),
])

/** Which events an export has. `log`: all from that leaf on. `things`: those of streams; `rest`: entries behind, and hashes before. */
const Scope = t.union([
  t.type({ form: t.literal('fonds.export/v1'), of: t.literal('log'), from: t.Int }),
  Things,
])
export type ExportScope = t.TypeOf<typeof Scope>
export type ThingsScope = t.TypeOf<typeof Things>

export const exportText = (folder: string, name: string): Promise<string> => textOf(join(folder, name))

/** Throws `UnreadableExport` for a file that is not UTF-8. */
export const textOf = async (path: string): Promise<string> => {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(await readFile(path))
  } catch (error) {
    throw new UnreadableExport(`${path} cannot be read: ${(error as Error).message}`)
  }
}

export const exportScope = async (folder: string): Promise<ExportScope> => {
  const scope = Scope.decode(jsonIn(await exportText(folder, 'export.json')))
  if (scope._tag === 'Right') return scope.right
  throw new UnreadableExport('export.json is not of the form fonds.export/v1')
}

export async function* exportLines(folder: string): AsyncGenerator<ExportedLine> {
  const path = join(folder, 'events.ndjson')
  let number = 0
  try {
    for await (const text of linesOf(decoded(createReadStream(path)))) {
      number++
      const line = Line.decode(jsonIn(text))
      if (line._tag === 'Left')
        throw new UnreadableExport(`line ${number} of events.ndjson is not of its form`)
      yield line.right
    }
  } catch (error) {
    if (error instanceof TypeError) throw new UnreadableExport('events.ndjson is not UTF-8')
    if (error instanceof UnreadableExport || !isSystemError(error)) throw error
    throw new UnreadableExport(`events.ndjson cannot be read: ${error.message}`)
  }
}

async function* decoded(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  for await (const chunk of chunks) yield decoder.decode(chunk, { stream: true })
  yield decoder.decode()
}

/** A line feed alone ends a line: Node's readline ends one at U+2028, too, which stands in JSON as it is. */
export async function* linesOf(chunks: AsyncIterable<string>): AsyncGenerator<string> {
  let begun: string[] = []
  for await (const chunk of chunks) {
    let from = 0
    for (let end = chunk.indexOf('\n'); end >= 0; end = chunk.indexOf('\n', from)) {
      yield [...begun, chunk.slice(from, end)].join('')
      begun = []
      from = end + 1
    }
    if (from < chunk.length) begun.push(chunk.slice(from))
  }
  if (begun.length > 0) yield begun.join('')
}

/** All entries of a tree in their order, from a leaf on that is the first of a bundle. */
export async function* exportEntries(folder: string, size: bigint, from = 0n): AsyncGenerator<Uint8Array> {
  const width = BigInt(tileWidth)
  for (let at = from; at < size; at += width) {
    const tile = bundleAt(at / width, size)
    const entries = entriesIn(await tileBytes(folder, tile), tile)
    if (!entries) throw new UnreadableExport(`${tilePath(tile)} does not have ${tile.width} entries`)
    yield* entries
  }
}

export const tileBytes = async (folder: string, tile: Tile | Bundle): Promise<Uint8Array> => {
  try {
    return await readFile(join(folder, tilePath(tile)))
  } catch (error) {
    throw new UnreadableExport(`${tilePath(tile)} cannot be read: ${(error as Error).message}`)
  }
}

const jsonIn = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
