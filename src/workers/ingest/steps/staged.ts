import type { StagedFile } from '../../../ports/object-store.ts'

/** Files of a job that are in storage before their version. */
export interface Staged {
  /** The file at that path in the object, if it has that SHA-256. */
  find(path: string, sha256: string): StagedFile | undefined
  /** The file at that path, whatever its bytes. */
  at(path: string): StagedFile | undefined
  /** These, and others; of two of one path the other one. */
  with(others: readonly StagedFile[]): Staged
}

export const asStaged = (files: readonly StagedFile[]): Staged => {
  const byPath = new Map(files.map((file) => [file.path, file]))
  return {
    at: (path) => byPath.get(path),
    with: (others) => asStaged([...byPath.values(), ...others]),
    find: (path, sha256) => {
      const found = byPath.get(path)
      return found?.sha256 === sha256 ? found : undefined
    },
  }
}
