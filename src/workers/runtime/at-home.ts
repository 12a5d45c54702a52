import { homedir } from 'node:os'

/** Replaces a leading `~` in a path by the user's own folder. */
export const atHome = (path: string): string => path.replace(/^~(?=\/|$)/, homedir())
