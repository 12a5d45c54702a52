import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import * as t from 'io-ts'
import { type ObjectFile, ObjectFile as ObjectFileCodec } from '../../domain/ingest/payload.ts'
import type { TextFile } from './files/write-files.ts'

/*
 * Lists of files in a work folder: a JSON line each, the last one `{"end": <number of files>}`. A list with that line
 * is complete.
 */

const End = t.type({ end: t.number })

/** Line readers take U+2028 and U+2029 for line ends, too. */
export const jsonLine = (value: unknown): string =>
  `${JSON.stringify(value).replace(/[\u2028\u2029]/g, (end) => (end === '\u2028' ? '\\u2028' : '\\u2029'))}\n`

/** `head`: values before the files. */
export const fileListOf = (
  path: string,
  files: readonly ObjectFile[],
  head: readonly unknown[] = [],
): TextFile => ({ path, parts: [...inBlocks([...head, ...files, { end: files.length }])] })

const blockLength = 64 * 1024

/** A write per line would take longer than making the lines. */
function* inBlocks(values: Iterable<unknown>): Generator<string> {
  let block = ''
  for (const value of values) {
    block += jsonLine(value)
    if (block.length < blockLength) continue
    yield block
    block = ''
  }
  yield block
}

interface FileList {
  readonly head: readonly unknown[]
  readonly files: readonly ObjectFile[]
}

/** Undefined if the list is missing or incomplete. */
export const readFileList = async (path: string): Promise<FileList | undefined> => {
  const head: unknown[] = []
  const files: ObjectFile[] = []
  try {
    for await (const line of createInterface({ input: createReadStream(path), crlfDelay: 0 })) {
      const value: unknown = JSON.parse(line)
      if (ObjectFileCodec.is(value)) files.push(value)
      else if (End.is(value)) return value.end === files.length ? { head, files } : undefined
      else head.push(value)
    }
  } catch (error) {
    if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
  return undefined
}
