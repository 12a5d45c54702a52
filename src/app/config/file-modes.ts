import { writeFileSync } from 'node:fs'
import type { Config } from './settings.ts'

/** Bits that what Fonds keeps has for nobody. */
export const closedBits: Readonly<Record<Config['homeMode'], number>> = { private: 0o077, group: 0o007 }

let usual: number | undefined

/** From now on, what this process makes is for its user alone: 0600 and 0700; or for its group as well: 0660 and 0770. */
export const keepPrivate = (homeMode: Config['homeMode']): void => {
  const before = process.umask(closedBits[homeMode])
  usual ??= before
}

/** A file that a person asked for: it is made as their other files are. */
export const writeForPerson = (path: string, text: string): void => {
  const own = usual === undefined ? undefined : process.umask(usual)
  try {
    writeFileSync(path, text)
  } finally {
    if (own !== undefined) process.umask(own)
  }
}
