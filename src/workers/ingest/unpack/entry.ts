/** A file in a container. Its bytes must be read before the next entry is requested. */
export interface FileEntry {
  /** With `/`, as in the container. */
  readonly path: string
  readonly bytes: AsyncIterable<Uint8Array>
}

interface FolderEntry {
  readonly folder: string
}

export type Entry = FileEntry | FolderEntry

/** Paths of GNU tar and others begin with `./`. */
export const withoutDot = (path: string): string => path.replace(/^(\.\/)+/, '')
