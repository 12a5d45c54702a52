import { type InvalidLine, isInvalid, type ManifestLine, type NameReadings } from '@fonds/bag'
import * as E from 'fp-ts/lib/Either.js'
import type { ContentFailure, ContentStore } from '../../ports/content-store.ts'
import { add, type Ledger } from './ledger.ts'
import { readLines } from './lines.ts'
import { pathIn, resolveReadings, whyUnusable } from './manifest.ts'
import { failureText, type Problem } from './problem.ts'
import type { Sidecars } from './sidecar.ts'

/** The manifests of a folder, while they are read. */
export interface Into {
  readonly store: ContentStore
  readonly folder: string
  /** The folder's own files. */
  readonly names: readonly string[]
  readonly sidecars: Sidecars
  readonly ledger: Ledger
  readonly problems: Problem[]
}

export type Parse<A> = (line: string) => A | InvalidLine | undefined

export interface ManifestKind {
  /** Declared encoding of the text. */
  readonly encoding?: string
  readonly parse: Parse<ManifestLine | readonly ManifestLine[]>
  /** Gives the meanings of names in a manifest of these lines. */
  readonly readings: (lines: readonly ManifestLine[]) => (line: ManifestLine) => NameReadings
  /** Returns what is wrong with a path below the folder and its digest. */
  readonly rules?: (path: string, value: string) => string | undefined
  /** True for the beginning of a file that has the name of such a manifest, and is none. */
  readonly isOther?: (beginning: Uint8Array) => boolean
}

/** Adds the lines of a manifest to the ledger. Uses no line of one that cannot be read to its end. */
export const readManifest = async (into: Into, path: string, kind: ManifestKind): Promise<void> => {
  const { store, folder, ledger, problems } = into
  const lines: { readonly number: number; readonly line: ManifestLine }[] = []
  const lineProblems = createLineProblems(path)
  let beginning: Uint8Array = new Uint8Array()
  const failure = await parseLines(
    { store, path, encoding: kind.encoding, parse: kind.parse, report: lineProblems.report },
    (parsed, number) => {
      for (const line of [parsed].flat()) lines.push({ number, line })
    },
    (bytes) => {
      beginning = Uint8Array.from(bytes.subarray(0, beginningBytes))
    },
  )
  if (!failure && lines.length === 0 && kind.isOther?.(beginning)) return
  if (failure) {
    problems.push(...lineProblems.all(), notRead(path, failure))
    return
  }
  const readings = kind.readings(lines.map(({ line }) => line))
  const root = pathIn(folder, '').length
  const unknown = new Set<string>()
  for (const { number, line } of lines) {
    const target = await targetOf(into, line, readings)
    if (E.isLeft(target)) lineProblems.report(number, target.left)
    else if (target.right === path)
      lineProblems.report(number, 'names the manifest itself, which cannot hold its own checksum; ignored')
    else {
      const { algorithm, value, isMalformed } = line
      const basis = isMalformed && { basis: 'unusable' as const }
      add(ledger, target.right, { algorithm, value, ...basis, from: path })
      const why = unknown.has(algorithm) ? undefined : whyUnusable(line)
      if (why !== undefined && !isMalformed) unknown.add(algorithm)
      const reason = why ?? kind.rules?.(target.right.slice(root), value)
      if (reason !== undefined) lineProblems.report(number, reason)
    }
  }
  problems.push(...lineProblems.all())
}

/** Bytes: enough to tell a text from another file. */
const beginningBytes = 4096

const targetOf = async (
  { store, folder, sidecars }: Into,
  line: ManifestLine,
  readings: (line: ManifestLine) => NameReadings,
): Promise<E.Either<string, string>> => {
  if (!line.isAlone) return resolveReadings(store, folder, readings(line))
  const name = sidecars(line.name)
  if (E.isRight(name) && name.right === line.name) return E.right(pathIn(folder, line.name))
  // A link to content is not among the names that were listed.
  const isThere = E.isRight(await store.stat(pathIn(folder, line.name))())
  return E.map((one: string) => pathIn(folder, one))(isThere ? E.right(line.name) : name)
}

interface Lines<A> {
  readonly store: ContentStore
  readonly path: string
  readonly encoding: string | undefined
  readonly parse: Parse<A>
  readonly report: (line: number, reason: string) => void
}

/** Returns the failure if the file could not be read to its end. */
export const parseLines = <A>(
  { store, path, encoding, parse, report }: Lines<A>,
  use: (parsed: A, line: number) => void,
  onBeginning?: (bytes: Uint8Array) => void,
): Promise<ContentFailure | undefined> =>
  readLines(
    store,
    path,
    encoding,
    (text, line) => {
      const parsed = text === undefined ? undefined : parse(text)
      if (text === undefined) report(line, `is not ${encoding ?? 'UTF-8'} text, or too long`)
      else if (isInvalid(parsed)) report(line, parsed.error)
      else if (parsed !== undefined) use(parsed, line)
    },
    onBeginning,
  )

/** Invalid lines reported one by one; further ones are counted. */
const maxLineProblems = 20

/** Collects the problems of a file's lines, which may come in any order. */
export const createLineProblems = (path: string) => {
  let first: (Problem & { readonly line: number })[] = []
  let count = 0
  const sort = () => {
    first = first.sort((one, other) => one.line - other.line).slice(0, maxLineProblems)
  }
  return {
    report: (line: number, reason: string): void => {
      count++
      first.push({ kind: 'problem', path, line, reason })
      if (first.length > 10 * maxLineProblems) sort()
    },
    all: (): readonly Problem[] => {
      sort()
      const more = count - first.length
      return more === 0
        ? first
        : [...first, { kind: 'problem', path, reason: `${more} more lines cannot be used` }]
    },
  }
}

export const notRead = (path: string, failure: ContentFailure): Problem => ({
  kind: 'problem',
  path,
  reason: `could not be read, so nothing in it is followed: ${failureText(failure)}; survey again`,
})
