import { quoted } from '../files/file-name.ts'
import { firstProblems } from '../first-problems.ts'

/** Folders of a container: tells which of them hold nothing. */
export interface Folders {
  /** Number of folders by their own entries. */
  readonly size: number
  /** An entry of a folder, and one of a file. */
  folder(path: string): void
  file(path: string): void
  /** In the order of their entries. */
  empty(): readonly string[]
}

export const createFolders = (): Folders => {
  const named = new Set<string>()
  const filled = new Set<string>()
  const fill = (path: string): void => {
    for (let slash = path.lastIndexOf('/'); slash > 0; slash = path.lastIndexOf('/', slash - 1)) {
      const above = path.slice(0, slash)
      if (filled.has(above)) return
      filled.add(above)
    }
  }
  return {
    get size() {
      return named.size
    },
    folder: (path) => {
      const name = path.replace(/\/+$/, '')
      if (name === '' || name === '.') return
      named.add(name)
      fill(name)
    },
    file: fill,
    empty: () => [...named].filter((name) => !filled.has(name)),
  }
}

/** OCFL keeps files alone. Undefined where no folder is empty. */
export const emptyFoldersWarning = (paths: readonly string[]): string | undefined =>
  paths.length === 0
    ? undefined
    : `an object has files alone: empty folders are not kept (${firstProblems(paths.map(quoted))})`
