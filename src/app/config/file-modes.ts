import { closeSync, openSync, renameSync, rmSync, writeFileSync, writeSync } from 'node:fs'
import type { Config } from './settings.ts'

/** Mode bits that files of Fonds never have, by `homeMode`. */
export const closedBits: Readonly<Record<Config['homeMode'], number>> = { private: 0o077, group: 0o007 }

let usual: number | undefined

/** Sets the umask: new files are for this user alone (0600, folders 0700), or for the group as well (0660, 0770). */
export const keepPrivate = (homeMode: Config['homeMode']): void => {
  const before = process.umask(closedBits[homeMode])
  usual ??= before
}

/** Writes a file that a person asked for, with the umask that the process was started with. */
export const writeForPerson = (path: string, text: string): void => {
  const own = usual === undefined ? undefined : process.umask(usual)
  try {
    writeFileSync(path, text)
  } finally {
    if (own !== undefined) process.umask(own)
  }
}

/** A file that is written in pieces. */
export interface FileInPieces {
  write(text: string): void
  /** Puts it in the place of the file that was there. */
  done(): void
  /** Without `done` nothing is left of it. */
  close(): void
}

/** As `writeForPerson`, for what is too long to be held: the file is there once it is whole. */
export const openForPerson = (path: string): FileInPieces => {
  const partial = `${path}.part`
  const own = usual === undefined ? undefined : process.umask(usual)
  let file: number | undefined
  try {
    file = openSync(partial, 'w')
  } finally {
    if (own !== undefined) process.umask(own)
  }
  const close = () => {
    if (file !== undefined) closeSync(file)
    file = undefined
  }
  return {
    write: (text) => {
      if (file !== undefined) writeSync(file, text)
    },
    done: () => {
      close()
      renameSync(partial, path)
    },
    close: () => {
      close()
      rmSync(partial, { force: true })
    },
  }
}
