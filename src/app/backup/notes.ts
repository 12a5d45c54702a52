import { existsSync } from 'node:fs'
import { readdir, readFile, readlink, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { dirname, join } from 'node:path'
import { isSystemError } from '@fonds/toolbox'
import { makeFolder } from '@fonds/toolbox/disk'
import * as t from 'io-ts'
import { Time } from '../../domain/kernel/codecs.ts'
import { parseJson } from '../../domain/kernel/json-text.ts'
import { DAY, MINUTE } from '../../domain/kernel/time.ts'

/*
 * `<home>/backups/`: which backup of this home was made last, and which were begun and not ended. Files of it stay readable for
 * ever; fields may be added.
 */

/** The last backup that was made of a home, as far as the home knows. */
const LastBackup = t.intersection(
  [
    t.type({
      /** When it was begun: all that was acknowledged before is in it. */
      at: Time,
      folder: t.string,
    }),
    t.partial({ position: t.string }),
  ],
  'last backup',
)
type LastBackup = t.TypeOf<typeof LastBackup>

const Begun = t.type(
  {
    at: Time,
    /** Where it is written until it has its name. */
    partial: t.string,
    pid: t.number,
    /** Where that process is: another machine, or another container, has other processes. */
    machine: t.string,
  },
  'backup that was begun',
)

/** A backup that was begun and did not end: it is under way, or its process was killed. */
export interface Unended extends t.TypeOf<typeof Begun> {
  /** False where its process may still be at it. */
  readonly isAbandoned: boolean
  readonly note: string
}

const folderOf = (home: string): string => join(home, 'backups')
const lastIn = (home: string): string => join(folderOf(home), 'last.json')

/** Undefined where none was made. */
export const lastBackup = (home: string): Promise<LastBackup | undefined> => decoded(lastIn(home), LastBackup)

export const noteLast = async (home: string, last: LastBackup): Promise<void> => {
  await makeFolder(folderOf(home))
  const coming = `${lastIn(home)}.${process.pid}`
  await writeFile(coming, `${JSON.stringify(last)}\n`, { flush: true })
  await rename(coming, lastIn(home))
}

const refreshMillis = MINUTE
const silentMillis = DAY

/** Notes that a backup is under way, until `end`. */
export const noteBegun = async (
  home: string,
  { id, at, partial }: { readonly id: string; readonly at: string; readonly partial: string },
): Promise<{ end(): Promise<void> }> => {
  const note = join(folderOf(home), `${id}.json`)
  await makeFolder(folderOf(home))
  const begun: t.TypeOf<typeof Begun> = { at, partial, pid: process.pid, machine: await machine() }
  await writeFile(note, `${JSON.stringify(begun)}\n`, { flush: true })
  const timer = setInterval(() => {
    const now = new Date()
    void utimes(note, now, now).catch(() => {})
  }, refreshMillis).unref()
  return {
    end: async () => {
      clearInterval(timer)
      await rm(note, { force: true })
    },
  }
}

/** Backups that were begun and did not end. */
export const unendedBackups = async (home: string): Promise<readonly Unended[]> => {
  const names = (await readdir(folderOf(home)).catch(() => [])).filter(
    (name) => name.endsWith('.json') && name !== 'last.json',
  )
  const here = await machine()
  const found = await Promise.all(
    names.map(async (name): Promise<readonly Unended[]> => {
      const note = join(folderOf(home), name)
      const begun = await decoded(note, Begun)
      if (!begun) return []
      const written = await stat(note).catch(() => undefined)
      const isSilent = written !== undefined && Date.now() - written.mtimeMs > silentMillis
      const isEnded = begun.machine === here && !isRunning(begun.pid)
      return [{ ...begun, note, isAbandoned: isEnded || isSilent }]
    }),
  )
  return found.flat()
}

/** Removes what a backup wrote whose process was killed. False where its disk is not there now: then it stays noted. */
export const removeUnended = async ({ note, partial }: Unended): Promise<boolean> => {
  if (!existsSync(dirname(partial))) return false
  await rm(partial, { recursive: true, force: true })
  await rm(note, { force: true })
  return true
}

/** Processes of one machine have numbers of one kind, unless they are in containers. */
const machine = async (): Promise<string> =>
  `${hostname()} ${await readlink('/proc/self/ns/pid').catch(() => process.platform)}`

const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return !isSystemError(error, 'ESRCH')
  }
}

const decoded = async <A>(file: string, codec: t.Type<A, unknown>): Promise<A | undefined> => {
  const text = await readFile(file, 'utf8').catch(() => undefined)
  const json = text === undefined ? undefined : parseJson(text)
  if (json?._tag !== 'Right') return undefined
  const found = codec.decode(json.right)
  return found._tag === 'Right' ? found.right : undefined
}
