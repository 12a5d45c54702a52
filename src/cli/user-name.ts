import { userInfo } from 'node:os'

/** Returns the name of the current user; the uid for a user without a name, as in containers. */
export const userName = (): string => {
  try {
    return userInfo().username
  } catch {
    return `uid-${process.getuid?.() ?? 'unknown'}`
  }
}
