import { existsSync } from 'node:fs'
import { appendFile, mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { captureLine, fileToken } from '@fonds/cdx'
import { isSystemError } from '@fonds/toolbox'
import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { fileOf } from '../../../domain/indexing/file.ts'
import { Day } from '../../../domain/kernel/day.ts'
import { isEmbargoed } from '../../../domain/kernel/embargo.ts'
import type { FolderSettings } from '../index-folders.ts'
import { parsed } from './change-lines.ts'

/** The embargo of a file: its last day (UTC), or null. */
export type ListedEmbargo = readonly [file: string, until: string | null]

const Listed = t.tuple([t.string, t.union([Day, t.null])])

/**
 * The embargoes in the folder of the index, for processes that have no log: a line of JSON each, of which the last of a
 * file holds.
 */
export interface EmbargoList {
  /** True if there is an index without a list, as one from before there were embargoes, or put back from a backup. */
  isMissing(): Promise<boolean>
  /** Takes the place of all that is there. */
  replace(embargoes: readonly ListedEmbargo[]): Promise<void>
  add(embargoes: readonly ListedEmbargo[]): Promise<void>
  /** Undefined if nothing is held back at the time. Throws `Error` if the list is damaged: then nothing may be shown. */
  heldBack(now: string): Promise<HeldBackLines | undefined>
}

interface HeldBackLines {
  /** Equal where the same lines are held back. */
  readonly key: string
  readonly has: (line: Uint8Array) => boolean
}

export const embargoListOf = ({ config: { indexingFolder: folder } }: FolderSettings): EmbargoList => {
  // No repository has such a name.
  const path = join(folder, '.embargoes')
  return {
    isMissing: async () => existsSync(folder) && !existsSync(path),
    replace: async (embargoes) => {
      await writeFile(`${path}.tmp`, linesOf(embargoes), { flush: true })
      await rename(`${path}.tmp`, path)
    },
    add: async (embargoes) => {
      await mkdir(folder, { recursive: true })
      // Behind a line that was cut off, as on a full disk.
      await appendFile(path, `\n${linesOf(embargoes)}`, { flush: true })
    },
    heldBack: async (now) => {
      const names = namesHeldBack(await textIn(path), path, now)
      if (names.size === 0) return undefined
      const has = (bytes: Uint8Array): boolean => {
        const line = captureLine(Buffer.from(bytes).toString())
        return line !== undefined && names.has(line.field('file'))
      }
      return { key: [...names].sort().join(' '), has }
    },
  }
}

const linesOf = (embargoes: readonly ListedEmbargo[]): string =>
  embargoes.map((one) => `${JSON.stringify(one)}\n`).join('')

const namesHeldBack = (text: string, path: string, now: string): ReadonlySet<string> => {
  const untils = new Map<string, string | null>()
  for (const line of text.split('\n')) {
    // One that was cut off was not added: it is added again.
    if (!line.endsWith(']')) continue
    const listed = Listed.decode(parsed(line))
    if (E.isLeft(listed))
      throw new Error(`${path} is damaged: delete it, and the server writes it anew when it starts`)
    untils.set(...listed.right)
  }
  return new Set(
    [...untils].flatMap(([file, until]) => (isEmbargoed(until, now) ? [fileToken(fileOf(file).name)] : [])),
  )
}

const textIn = async (path: string): Promise<string> => {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (isSystemError(error, 'ENOENT')) return ''
    throw error
  }
}
