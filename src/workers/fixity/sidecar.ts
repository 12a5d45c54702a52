import { checksumFile } from '@fonds/bag'
import * as E from 'fp-ts/lib/Either.js'

/** Finds the file that a digest alone is of, in `film.md5` or `film.mov.md5`. Left: why that is not known. */
export type Sidecars = (stem: string) => E.Either<string, string>

/**
 * Finds files among the names of one folder. `film.md5` is of `film.mov` if no other file is called `film` with any ending.
 * The names are indexed once, at the first call.
 */
export const createSidecars = (names: readonly string[]): Sidecars => {
  let index: ReturnType<typeof indexOf> | undefined
  return (stem) => {
    index ??= indexOf(names)
    const form = stem.normalize('NFC')
    const inAnyCase = index.there.has(form) ? [] : (index.byStem.get(form.toLowerCase()) ?? [])
    const named = inAnyCase.filter((name) => name.normalize('NFC').startsWith(`${form}.`))
    const [only] = named
    if (named.length > 1) return E.left(notNamed(named))
    if (only === undefined)
      return inAnyCase.length === 0 || hasEnding(stem) ? E.right(stem) : E.left(notNamed(inAnyCase))
    return hasEnding(stem)
      ? E.left(
          `is of ${show(stem)} by its name, which is not there, or of ${show(only)}; write "<digest>  <name>" instead`,
        )
      : E.right(only)
  }
}

const notNamed = (names: readonly string[]): string =>
  `names no file, and may be of ${listOf(names)}; write "<digest>  <name>" instead`

const indexOf = (names: readonly string[]) => {
  const there = new Set<string>()
  /** By stem in lower case: where case tells names apart, another one is not meant, yet may be. */
  const byStem = new Map<string, string[]>()
  for (const name of names) {
    const form = name.normalize('NFC')
    there.add(form)
    // A checksum file of the same stem is not meant.
    if (checksumFile(name)?.sidecarOf !== undefined) continue
    for (let dot = form.indexOf('.', 1); dot > 0; dot = form.indexOf('.', dot + 1)) {
      const stem = form.slice(0, dot).toLowerCase()
      const known = byStem.get(stem)
      if (known) known.push(name)
      else byStem.set(stem, [name])
    }
  }
  return { there, byStem }
}

/** `film.mov.md5` names a file by itself, with its ending: another one beside it may be about it, such as `film.mov.xml`. */
const hasEnding = (stem: string): boolean => /\.[a-z][a-z0-9]{1,4}$/i.test(stem)

const maxListed = 3

const listOf = (names: readonly string[]): string => {
  const listed = names.slice(0, maxListed).map(show)
  return names.length > maxListed
    ? `${listed.join(', ')} or ${names.length - maxListed} more`
    : listed.join(' or ')
}

const show = (name: string): string => JSON.stringify(name)
