import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import * as t from 'io-ts'
import { type ObjectFile, ObjectFile as ObjectFileCodec } from '../../domain/ingest/payload.ts'
import { writeWhole } from './work-folder.ts'

/*
 * Lists of files that lie in a work folder, a JSON line each, the last one `{"end": <number of files>}`: a list that has it
 * is whole.
 */

const End = t.type({ end: t.number })

const lineOf = (value: unknown): string => `${JSON.stringify(value)}\n`

/** `head`: what stands before the files. */
export const writeFileList = async (
  path: string,
  files: readonly ObjectFile[],
  head: readonly unknown[] = [],
): Promise<void> => {
  const ordered = files.map(({ path, size, sha256 }) => ({ path, size, sha256 }))
  await writeWhole(path, [...head, ...ordered, { end: files.length }].values().map(lineOf))
}

interface FileList {
  readonly head: readonly unknown[]
  readonly files: readonly ObjectFile[]
}

/** Undefined where there is none, or not the whole of it. */
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
