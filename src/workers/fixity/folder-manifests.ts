import {
  checksumFile,
  createManifestRules,
  declarationFile,
  fetchFile,
  hashdeepLines,
  type InvalidLine,
  isHashdeep,
  isInvalid,
  type ManifestLine,
  manifestAlgorithm,
  parseChecksumLine,
  parseFetchLine,
  parseManifestLine,
} from '@fonds/bag'
import { whyInvalidPath } from '../../domain/fixity/item.ts'
import type { ContentFailure, ContentStore } from '../../ports/content-store.ts'
import { type BagSeen, openBag } from './bag.ts'
import { add, emptyLedger, type Ledger, type Word } from './ledger.ts'
import { readLines } from './lines.ts'
import { pathIn, resolveName, whyUnusable } from './manifest.ts'
import { failureText, type Problem } from './problem.ts'

/** Reads the manifests among a folder's own files. The ledger is undefined if there are none. */
export const readManifests = async (
  store: ContentStore,
  folder: string,
  names: readonly string[],
): Promise<{ readonly ledger: Ledger | undefined; readonly problems: readonly Problem[] }> => {
  const ledger = emptyLedger(folder)
  const problems: Problem[] = []
  const into = { store, folder, ledger, problems }
  const bag = names.includes(declarationFile) ? await openBag(store, folder, names, problems) : undefined
  if (bag) await readBag(into, bag, names)
  for (const name of names) {
    const path = pathIn(folder, name)
    const sums = checksumFile(name)
    if (manifestAlgorithm(name) !== undefined) {
      if (!bag)
        problems.push({ kind: 'problem', path, reason: `is not read: no ${declarationFile} beside it` })
    } else if (sums) await readManifest(into, path, undefined, (line) => parseChecksumLine(line, sums))
    else if (isHashdeep(name)) await readManifest(into, path, undefined, hashdeepLines())
  }
  return { ledger: bag || ledger.words.size > 0 ? { ...ledger, ...(bag && { bag }) } : undefined, problems }
}

interface Into {
  readonly store: ContentStore
  readonly folder: string
  readonly ledger: Ledger
  readonly problems: Problem[]
}

/** Reads the manifests of a bag, and its fetch.txt. */
const readBag = async (into: Into, bag: BagSeen, names: readonly string[]): Promise<void> => {
  const { folder } = into
  for (const name of names) {
    const algorithm = manifestAlgorithm(name)
    if (algorithm === undefined) continue
    const rules = createManifestRules(name, bag)
    const path = pathIn(folder, name)
    await readManifest(into, path, bag.encoding, (line) => parseManifestLine(line, algorithm), rules)
  }
  if (names.includes(fetchFile)) await readToFetch(into, pathIn(folder, fetchFile), bag.encoding)
  bag.problems = into.problems.length
}

type Parse<A> = (line: string) => A | InvalidLine | undefined

/** Uses no line of a manifest that cannot be read to its end. */
const readManifest = async (
  { store, folder, ledger, problems }: Into,
  path: string,
  encoding: string | undefined,
  parse: Parse<ManifestLine | readonly ManifestLine[]>,
  rules: (line: ManifestLine) => string | undefined = () => undefined,
): Promise<void> => {
  const found: { readonly path: string; readonly word: Word }[] = []
  const use = (line: ManifestLine): string | undefined => {
    const target = resolveName(folder, line.name)
    if (target._tag === 'Left') return target.left
    if (target.right === path) return 'names the manifest itself, which cannot hold its own checksum; ignored'
    const { algorithm, value, isMalformed } = line
    const basis = isMalformed && { basis: 'unusable' as const }
    found.push({ path: target.right, word: { algorithm, value, ...basis, from: path } })
    return whyUnusable(line) ?? rules(line)
  }
  const whole = await parseLines(store, path, encoding, parse, problems, (lines) =>
    [lines]
      .flat()
      .map(use)
      .find((reason) => reason !== undefined),
  )
  if (whole)
    for (const { path: target, word } of found) add(ledger, await asTheStoreHasIt(store, target), word)
}

/** Windows tools write `sub\f1.txt`: a path, unless a file has the backslash in its name. */
const asTheStoreHasIt = async (store: ContentStore, path: string): Promise<string> => {
  const slashed = path.replaceAll('\\', '/')
  if (slashed === path || whyInvalidPath(slashed) || (await store.stat(path)())._tag === 'Right') return path
  return (await store.stat(slashed)())._tag === 'Right' ? slashed : path
}

const readToFetch = async (
  { store, folder, ledger, problems }: Into,
  path: string,
  encoding: string,
): Promise<void> => {
  await parseLines(store, path, encoding, parseFetchLine, problems, (line) => {
    const target = resolveName(folder, line.path)
    if (target._tag === 'Left') return target.left
    if (!ledger.words.has(target.right)) return `${JSON.stringify(line.path)} is in no manifest of the bag`
    ledger.toFetch.set(target.right, line.url)
    return undefined
  })
}

/** Invalid lines reported one by one; further ones are counted. */
const maxLineProblems = 20

/** Returns true if the file was read to its end. `use` returns the problem of a line that could be parsed. */
const parseLines = async <A>(
  store: ContentStore,
  path: string,
  encoding: string | undefined,
  parse: Parse<A>,
  problems: Problem[],
  use: (line: A) => string | undefined,
): Promise<boolean> => {
  let bad = 0
  const failure = await readLines(store, path, encoding, (text, line) => {
    const parsed = text === undefined ? undefined : parse(text)
    const reason =
      text === undefined
        ? `is not ${encoding ?? 'UTF-8'} text, or too long`
        : isInvalid(parsed)
          ? parsed.error
          : parsed && use(parsed)
    if (reason !== undefined && ++bad <= maxLineProblems)
      problems.push({ kind: 'problem', path, line, reason })
  })
  if (bad > maxLineProblems)
    problems.push({ kind: 'problem', path, reason: `${bad - maxLineProblems} more lines cannot be used` })
  if (failure) problems.push(notRead(path, failure))
  return failure === undefined
}

const notRead = (path: string, failure: ContentFailure): Problem => ({
  kind: 'problem',
  path,
  reason: `could not be read, so nothing in it is followed: ${failureText(failure)}; survey again`,
})
