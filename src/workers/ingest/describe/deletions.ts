import { linesOf } from '@fonds/bytes'
import { quoted } from '../files/file-name.ts'
import { firstProblems } from '../first-problems.ts'

/* A list of names that an update deletes, a line each (reference ingest §2.3). */

export const deletionList = 'mrt-delete.txt'

interface Deletions {
  /** Paths in the object. */
  readonly paths: readonly string[]
  /** Sentence on the names that delete nothing. */
  readonly warning: string | undefined
}

/**
 * Finds the listed names among the files of the version before, `files`, by their paths in the object. A name is that
 * of a file as it stands, else with `/` for `\`, or in the other Unicode form, if this fits one file alone: nothing is
 * deleted on a guess.
 */
export const deletionsIn = (list: string, files: readonly string[]): Deletions => {
  const exact = new Set(files)
  const alike = Map.groupBy(files, plain)
  const paths = new Set<string>()
  const unmatched: string[] = []
  for (const line of linesOf(list)) {
    if (line.trim() === '') continue
    const found = pathsOf(line).find((path) => exact.has(path))
    const [like, ...others] = found === undefined ? (alike.get(plain(pathsOf(line).at(-1)!)) ?? []) : []
    if (found !== undefined) paths.add(found)
    else if (like !== undefined && others.length === 0) paths.add(like)
    else
      unmatched.push(
        `${quoted(line.trim())} ${like === undefined ? 'is no file of the version before' : `may be ${[like, ...others].map((path) => quoted(nameOf(path))).join(' or ')}`}`,
      )
  }
  const warning =
    unmatched.length > 0
      ? `${deletionList} names ${unmatched.length === 1 ? 'what is' : `${unmatched.length} that are`} not deleted: ${firstProblems(unmatched)}`
      : undefined
  return { paths: [...paths], warning }
}

/** Ways to read a line as a path in the object, the likeliest first: as it stands, and without blanks around it. */
const pathsOf = (line: string): readonly string[] =>
  [line, line.trim()].map((name) => `${folder}${name.replace(/^producer[/\\]/, '')}`)

const folder = 'producer/'

const nameOf = (path: string): string => path.slice(folder.length)

/** One text for names that differ in separators and Unicode form alone. */
const plain = (path: string): string =>
  path
    .replaceAll('\\', '/')
    .replace(/^producer\/(\.\/)+/, folder)
    .normalize('NFC')
