import { writeFileSync } from 'node:fs'
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
