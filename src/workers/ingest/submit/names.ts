import { quoted } from '../files/file-name.ts'
import { UnusableContent } from '../files/write-file.ts'

/** Names of files that come one by one, where no file system refuses what is there already. */
export const createNames = () => {
  const files = new Set<string>()
  const folders = new Set<string>()
  return {
    /** Throws `UnusableContent` for a name that is taken, or that would be a file and the folder of another. */
    take: (path: string): void => {
      const above = [...foldersAbove(path)]
      if (files.has(path) || folders.has(path) || above.some((folder) => files.has(folder)))
        throw new UnusableContent(
          `two are named ${quoted(path)}, or it would be a file and the folder of another`,
        )
      files.add(path)
      for (const folder of above) folders.add(folder)
    },
  }
}

/** `a/b/c.txt` → a, a/b. */
function* foldersAbove(path: string): Generator<string> {
  for (let slash = path.indexOf('/'); slash !== -1; slash = path.indexOf('/', slash + 1))
    yield path.slice(0, slash)
}
