import { readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'
import { v4 as uuid } from 'uuid'
import { errorMessage } from '../../../src/async/errors.ts'
import { UnavailableError } from '../../../src/async/unavailable.ts'
import type { CopiedViews, ViewCopies } from '../../../src/ports/view-copies.ts'
import { isBusy } from '../../sqlite/errors.ts'
import { createFile, createFolder } from '../../sqlite/files.ts'
import { query } from '../../sqlite/query.ts'
import { readEventOf } from './event-text.ts'

/** The `workerData` of the thread that copies. */
export interface ToCopy {
  /** The views' file. */
  readonly views: string
  readonly partial: string
  /** What the copy is called when it is whole. */
  readonly file: string
}

const copyName = /^(\d{4}-\d{2})\.db$/
/** The journal beside it is of an earlier Fonds. */
const partialName = /\.partial(-journal)?$/

/** Copies in a folder, a file each: `2026-11.db`. */
export const openViewCopies = (folder: string, views: string): ViewCopies => {
  const pathOf = (name: string) => join(folder, name)
  const months = () =>
    namesIn(folder)
      .flatMap((name) => copyName.exec(name)?.[1] ?? [])
      .sort()
  const fileOf = (month: string) => pathOf(`${month}.db`)
  return {
    kept: () =>
      months().flatMap((month) => {
        const found = statSync(fileOf(month), { throwIfNoEntry: false })
        return found ? [{ month, bytes: found.size }] : []
      }),
    views: () => months().flatMap((month) => viewsIn(month, fileOf(month))),
    make: async (month, signal) => {
      createFolder(folder)
      const begun = namesIn(folder)
        .filter((name) => partialName.test(name))
        .map(pathOf)
      if (begun.some(isHeld)) return
      for (const left of begun) rmSync(left, { force: true })
      const file = fileOf(month)
      const partial = `${file}.${uuid()}.partial`
      createFile(partial)
      try {
        await copyApart({ views, partial, file }, signal)
      } finally {
        rmSync(partial, { force: true })
      }
    },
    remove: (month) => rmSync(fileOf(month), { force: true }),
  }
}

const namesIn = (folder: string): readonly string[] => {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

/** Whether a process is writing it. */
const isHeld = (file: string): boolean => {
  try {
    withReader(file, '', (db) => db.prepare('SELECT 1 FROM sqlite_schema').get())
    return false
  } catch (error) {
    return isBusy(error)
  }
}

/** None where the file is damaged, or gone. */
const viewsIn = (month: string, file: string): readonly CopiedViews[] => {
  try {
    return withReader(file, '&immutable=1', (db) => {
      const log = query<[id: string]>(db, 'SELECT id FROM folded_log').get()?.[0]
      const generations = db.prepare('SELECT id, projection, version, position, time, event FROM generation')
      generations.setReadBigInts(true)
      return generations.all().map((row) => {
        const position = row.position as bigint
        const event = readEventOf(row.event as string | null, position)
        return {
          ...{ month, file, log },
          projection: row.projection as string,
          version: Number(row.version),
          id: Number(row.id),
          checkpoint: { position, time: row.time as string | null, ...(event !== undefined && { event }) },
        }
      })
    })
  } catch {
    return []
  }
}

const withReader = <A>(file: string, more: string, read: (db: DatabaseSync) => A): A => {
  const db = new DatabaseSync(new URL(`${pathToFileURL(file).href}?mode=ro${more}`), {
    readOnly: true,
    timeout: 0,
  })
  try {
    return read(db)
  } finally {
    db.close()
  }
}

const copyApart = async (work: ToCopy, signal: AbortSignal): Promise<void> => {
  signal.throwIfAborted()
  const worker = new Worker(new URL('./copy-thread.ts', import.meta.url), { workerData: work })
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const onAbort = () => reject(signal.reason)
  signal.addEventListener('abort', onAbort, { once: true })
  worker.on('error', (error) =>
    reject(new UnavailableError(`the views cannot be copied: ${errorMessage(error)}`)),
  )
  worker.on('exit', resolve)
  try {
    await promise
  } finally {
    signal.removeEventListener('abort', onAbort)
    await worker.terminate()
  }
}
