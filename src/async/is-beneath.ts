import { resolve, sep } from 'node:path'

/** Returns true if the path is one of the folders, or lies in one. Compares names alone: links are not followed. */
export const isBeneath = (path: string, folders: readonly string[]): boolean =>
  folders
    .map((folder) => resolve(folder))
    .some((folder) => asFolder(resolve(path)).startsWith(asFolder(folder)))

const asFolder = (path: string): string => (path.endsWith(sep) ? path : path + sep)
