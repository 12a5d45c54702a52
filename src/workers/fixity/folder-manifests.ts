import type { Either } from 'fp-ts/lib/Either.js'
import { whyInvalidPath } from '../../domain/fixity/item.ts'
import type { ContentFailure, ContentStore } from '../../ports/content-store.ts'
import { declarationFile, fetchFile, parseFetchLine } from '../bagit/lines.ts'
import { bagEncoding, bagManifest, parseBagLine } from './bag.ts'
import { hashdeepLines, isHashdeep } from './hashdeep.ts'
import { add, emptyLedger, type Ledger, type Word } from './ledger.ts'
import { readLines } from './lines.ts'
import { checksumFile, type ManifestLine, parseChecksumLine, resolveName, whyUnusable } from './manifest.ts'

/** Something in a manifest that a person must look at. */
export interface Problem {
  readonly kind: 'problem'
  /** Path of the manifest, or of the file it is about. */
  readonly path: string
  /** From 1. */
  readonly line?: number
  readonly reason: string
}

/** What the manifests among a folder's own files say. Undefined where there is none. */
export const readManifests = async (
  store: ContentStore,
  folder: string,
  names: readonly string[],
): Promise<{ readonly ledger: Ledger | undefined; readonly problems: readonly Problem[] }> => {
  const ledger = emptyLedger(folder)
  const problems: Problem[] = []
  const pathOf = (name: string) => (folder === '' ? name : `${folder}/${name}`)
  const manifest = (name: string, encoding: string, parse: Parse<ManifestLine | readonly ManifestLine[]>) =>
    readManifest(store, folder, pathOf(name), encoding, parse, ledger, problems)

  const inBag = names.includes(declarationFile)
  const encoding = inBag ? await readDeclaration(store, pathOf(declarationFile), problems) : 'utf-8'
  for (const name of names) {
    const algorithm = bagManifest(name)
    const sums = checksumFile(name)
    if (algorithm !== undefined && inBag)
      await manifest(name, encoding, (line) => parseBagLine(line, algorithm))
    else if (algorithm !== undefined)
      problems.push({
        kind: 'problem',
        path: pathOf(name),
        reason: `is not read: no ${declarationFile} beside it`,
      })
    else if (sums) await manifest(name, 'utf-8', (line) => parseChecksumLine(line, sums))
    else if (isHashdeep(name)) await manifest(name, 'utf-8', hashdeepLines())
  }
  if (inBag && !names.some((name) => bagManifest(name)))
    problems.push({ kind: 'problem', path: pathOf(declarationFile), reason: 'the bag has no manifest' })
  if (inBag && names.includes(fetchFile))
    await readToFetch(store, folder, pathOf(fetchFile), encoding, ledger, problems)
  return { ledger: ledger.words.size > 0 ? ledger : undefined, problems }
}

type Parse<A> = (line: string) => Either<string, A> | undefined

/** A manifest that cannot be read to its end is not followed at all. */
const readManifest = async (
  store: ContentStore,
  folder: string,
  path: string,
  encoding: string,
  parse: Parse<ManifestLine | readonly ManifestLine[]>,
  ledger: Ledger,
  problems: Problem[],
): Promise<void> => {
  const found: { readonly path: string; readonly word: Word }[] = []
  const use = (line: ManifestLine): string | undefined => {
    const target = resolveName(folder, line.name)
    if (target._tag === 'Left') return target.left
    if (target.right === path) return 'names the manifest itself, which cannot hold its own checksum; ignored'
    const { algorithm, value, basis } = line
    found.push({ path: target.right, word: { algorithm, value, ...(basis && { basis }), from: path } })
    return whyUnusable(line)
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

/** Windows tools write `sub\f1.txt`: that is a path, unless a file has the backslash in its name. */
const asTheStoreHasIt = async (store: ContentStore, path: string): Promise<string> => {
  const slashed = path.replaceAll('\\', '/')
  if (slashed === path || whyInvalidPath(slashed) || (await store.stat(path)())._tag === 'Right') return path
  return (await store.stat(slashed)())._tag === 'Right' ? slashed : path
}

const readToFetch = async (
  store: ContentStore,
  folder: string,
  path: string,
  encoding: string,
  ledger: Ledger,
  problems: Problem[],
): Promise<void> => {
  await parseLines(store, path, encoding, parseFetchLine, problems, (line) => {
    const target = resolveName(folder, line.path)
    if (target._tag === 'Left') return target.left
    if (!ledger.words.has(target.right)) return `${JSON.stringify(line.path)} is in no manifest of the bag`
    ledger.toFetch.set(target.right, line.url)
    return undefined
  })
}

const readDeclaration = async (store: ContentStore, path: string, problems: Problem[]): Promise<string> => {
  const lines: string[] = []
  const failure = await readLines(store, path, 'utf-8', (line) => {
    if (line !== undefined && lines.length < maxDeclarationLines) lines.push(line)
  })
  if (failure) problems.push(notRead(path, failure))
  const encoding = bagEncoding(lines)
  if (encoding._tag === 'Right') return encoding.right
  if (!failure) problems.push({ kind: 'problem', path, reason: encoding.left })
  return 'utf-8'
}

/** A declaration has two lines. */
const maxDeclarationLines = 100

/** Bad lines reported one by one; the others are counted. */
const maxLineProblems = 20

/** True where the file was read to its end. `use` says what is wrong with a line that could be parsed. */
const parseLines = async <A>(
  store: ContentStore,
  path: string,
  encoding: string,
  parse: Parse<A>,
  problems: Problem[],
  use: (line: A) => string | undefined,
): Promise<boolean> => {
  let bad = 0
  const failure = await readLines(store, path, encoding, (text, line) => {
    const parsed = text === undefined ? undefined : parse(text)
    const reason =
      text === undefined
        ? `is not ${encoding} text, or too long`
        : parsed?._tag === 'Left'
          ? parsed.left
          : parsed && use(parsed.right)
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

export const failureText = (failure: ContentFailure): string => {
  switch (failure.kind) {
    case 'NotFound':
      return 'it is not there'
    case 'Changed':
      return 'it changed while it was read'
    case 'Refused':
    case 'Unreadable':
      return failure.reason
  }
}
