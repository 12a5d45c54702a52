import { homedir } from 'node:os'

/** `~` at the beginning of a path is the user's own folder. */
export const atHome = (path: string): string => path.replace(/^~(?=\/|$)/, homedir())
