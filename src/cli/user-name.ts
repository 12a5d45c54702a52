import { userInfo } from 'node:os'

/** Who runs this; a user without a name, as containers may have, by its number. */
export const userName = (): string => {
  try {
    return userInfo().username
  } catch {
    return `uid-${process.getuid?.() ?? 'unknown'}`
  }
}
