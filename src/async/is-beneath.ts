import { resolve, sep } from 'node:path'

/** Is the path one of the folders, or does it lie in one? By names alone: links are not followed. */
export const isBeneath = (path: string, folders: readonly string[]): boolean =>
  folders
    .map((folder) => resolve(folder))
    .some((folder) => asFolder(resolve(path)).startsWith(asFolder(folder)))

const asFolder = (path: string): string => (path.endsWith(sep) ? path : path + sep)
