import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { type FolderSettings, refusedFolder } from '../index-folders.ts'
import { parsed } from './change-lines.ts'
import { wholeFiles } from './whole-files.ts'

/** Lines of a file that the index rejected. */
export const RefusedLines = t.type({ file: t.string, digest: t.string, reason: t.string }, 'refused lines')
export type RefusedLines = t.TypeOf<typeof RefusedLines>

/**
 * Reports of the aggregator, which may have no log: one file each, until the process that keeps the log has read it.
 */
export interface RefusedFiles {
  add(refused: RefusedLines, position: bigint): Promise<void>
  /** Lines that the index had and lost, with the number of their publication. */
  addLost(refused: RefusedLines, number: number): Promise<void>
  list(): Promise<readonly string[]>
  /** Undefined if it is damaged. */
  read(name: string): Promise<RefusedLines | undefined>
  remove(name: string): Promise<void>
  putAside(name: string): Promise<string>
}

export const refusedFilesOf = (settings: FolderSettings): RefusedFiles =>
  createRefusedFiles(refusedFolder(settings))

export const createRefusedFiles = (folder: string): RefusedFiles => {
  const files = wholeFiles(folder, /^\d{20}\.refused$/)
  return {
    add: (refused, position) =>
      files.put(`${String(position).padStart(20, '0')}.refused`, `${JSON.stringify(refused)}\n`),
    // Positions have fewer digits: these names never collide with theirs.
    addLost: (refused, number) =>
      files.put(`9${String(number).padStart(19, '0')}.refused`, `${JSON.stringify(refused)}\n`),
    list: files.list,
    read: async (name) => {
      const decoded = RefusedLines.decode(parsed(await files.read(name)))
      return E.isRight(decoded) ? decoded.right : undefined
    },
    remove: files.remove,
    putAside: files.putAside,
  }
}
