import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Bundle, entriesIn, type Tile, tilePath, tilesOf } from '@fonds/tlog'
import { isSystemError } from '@fonds/toolbox'
import * as t from 'io-ts'

/** An export, or a part of it, is not of its form. The message is a sentence. */
export class UnreadableExport extends Error {
  override readonly name = 'UnreadableExport'
}

const Bytes = t.union([t.string, t.type({ base64: t.string })])

const Line = t.intersection([
  t.type({ index: t.Int, entry: t.string }),
  t.partial({ data: Bytes, metadata: Bytes, proof: t.array(t.string) }),
])
export type ExportedLine = t.TypeOf<typeof Line>

/** Which events an export has. `log`: all from that leaf on. */
const Scope = t.union([
  t.type({ form: t.literal('fonds.export/v1'), of: t.literal('log'), from: t.Int }),
  t.type({ form: t.literal('fonds.export/v1'), of: t.literal('thing'), thing: t.string }),
])
export type ExportScope = t.TypeOf<typeof Scope>

export const exportText = async (folder: string, name: string): Promise<string> => {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(
      await readFile(join(folder, name)),
    )
  } catch (error) {
    throw new UnreadableExport(`${join(folder, name)} cannot be read: ${(error as Error).message}`)
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
async function* linesOf(chunks: AsyncIterable<string>): AsyncGenerator<string> {
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

/** All entries of a tree, in their order. */
export async function* exportEntries(folder: string, size: bigint): AsyncGenerator<Uint8Array> {
  for (const tile of tilesOf(size)) {
    if (tile.level !== 'entries') continue
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
