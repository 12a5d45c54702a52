import { posix } from 'node:path'
import type { Checksum } from '../../domain/fixity/checksum.ts'
import type { ContentEntry, ContentStore, SkippedEntry } from '../../ports/content-store.ts'
import { type BagSeen, countProblems, leave, meet } from './bag.ts'
import { readManifests } from './folder-manifests.ts'
import { covers, isNamedTwice, type Ledger, otherForms, otherNames, reconcile, takeWords } from './ledger.ts'
import { failureText, type Problem } from './problem.ts'

/** A result of the survey of a store. */
export type Surveyed =
  /** A file with the checksums of its manifests. */
  | {
      readonly kind: 'recorded'
      readonly path: string
      /** Bytes. */
      readonly size: number
      readonly version: string
      readonly modifiedAt: string
      readonly checksums: readonly Checksum[]
      /** The manifests' paths, joined with commas. */
      readonly recordedFrom: string
      /** By its class in the listing, which does not tell whether it is restored. */
      readonly mayBeArchived?: true
    }
  /** A file without a usable checksum in any manifest: its bytes are to be read first. */
  | {
      readonly kind: 'unread'
      readonly path: string
      readonly size: number
      readonly version: string
      readonly modifiedAt: string
      readonly mayBeArchived?: true
    }
  /** A missing file that a manifest names: it is recorded, so that its check finds it missing. */
  | {
      readonly kind: 'missing'
      readonly path: string
      readonly checksums: readonly Checksum[]
      readonly recordedFrom: string
      /** Why: it is not there, is to be fetched from somewhere, or cannot be read. */
      readonly note: string
    }
  /** An entry of the tree that is no content, or that may be content and cannot be read. The path is escaped. */
  | ({ readonly kind: 'skipped' } & SkippedEntry)
  | Problem
  /** The walk has left a bag. Complete: its files satisfy RFC 8493 §3, but for their bytes. */
  | {
      readonly kind: 'bag'
      /** Path of its folder; `.` is the root. */
      readonly path: string
      readonly isComplete: boolean
      readonly problems: number
      /** The first of them, in the order of the walk. */
      readonly firstProblems: readonly Problem[]
      /** Files outside of the payload that no manifest names. */
      readonly strays: number
      readonly firstStray: string | undefined
      /** Payload. */
      readonly files: number
      readonly bytes: number
    }

/**
 * Walks the tree below the folder `prefix`, each folder's own files before its subfolders. Joins each file with its
 * lines in the manifests of its own folder and of those above it: bags, `*.md5` and the like, `SHA256SUMS` and the
 * like. Manifests above `prefix` are not read.
 *
 * Memory: the entries of one folder (its own files only), and the manifest lines of the folders that the walk is in
 * (about 160 bytes each) for which no file was met yet. It does not grow with the store.
 */
export async function* survey(store: ContentStore, prefix = ''): AsyncGenerator<Surveyed> {
  const open: Ledger[] = []
  /** Entries that may be content, with escaped paths: a bag that holds one of them is not known to be complete. */
  const unknown: Problem[] = []
  const waiting = [prefix]
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    const files: ContentEntry[] = []
    const subfolders: string[] = []
    for await (const found of store.folder(folder))
      if (found.kind === 'entry') files.push(found.entry)
      else if (found.kind === 'folder') subfolders.push(found.path)
      else {
        yield { kind: 'skipped', ...found.skipped }
        if (found.skipped.mayBeContent)
          unknown.push({ kind: 'problem', path: found.skipped.path, reason: found.skipped.reason })
      }
    yield* surveyFolder(store, folder, files, open, unknown)
    for (const subfolder of subfolders.reverse()) waiting.push(subfolder)
  }
  yield* close(store, open, unknown, () => true)
}

/** All manifests of a folder are read before its first file is yielded. */
async function* surveyFolder(
  store: ContentStore,
  folder: string,
  files: readonly ContentEntry[],
  open: Ledger[],
  unknown: readonly Problem[],
): AsyncGenerator<Surveyed> {
  if (files.length === 0) return
  yield* close(store, open, unknown, (ledger) => !covers(ledger, folder))
  const { ledger, problems } = await readManifests(
    store,
    folder,
    files.map((file) => posix.basename(file.path)),
  )
  yield* problems
  if (ledger) open.push(ledger)
  for (const file of files) yield* reportOn(store, file.path, open, file)
}

/** Files left in a ledger when the walk leaves its folder were not listed. */
async function* close(
  store: ContentStore,
  open: Ledger[],
  unknown: readonly Problem[],
  isOver: (ledger: Ledger) => boolean,
): AsyncGenerator<Surveyed> {
  for (let last = open.at(-1); last && isOver(last); last = open.at(-1)) {
    for (const path of last.words.keys()) yield* findLinked(store, path, open, last)
    if (last.bag) {
      countProblems(
        last.bag,
        unknown.filter(({ path }) => covers(last, path)),
      )
      yield* verdictOn(store, last.bag)
    }
    open.pop()
  }
}

/** A link to content inside the store is not listed, but a manifest may name it. */
async function* findLinked(
  store: ContentStore,
  path: string,
  open: readonly Ledger[],
  ledger: Ledger,
): AsyncGenerator<Surveyed> {
  const found = await store.stat(path)()
  if (found._tag === 'Right') return yield* reportOn(store, path, open, found.right)
  for (const form of otherForms(path)) {
    const other = await store.stat(form)()
    if (other._tag === 'Right') return yield* reportOn(store, form, open, other.right)
  }
  const url = ledger.toFetch.get(path)
  const reason = url === undefined ? failureText(found.left) : `to be fetched from ${url}`
  if (ledger.bag) countProblems(ledger.bag, [{ kind: 'problem', path, reason }])
  yield* reportOn(store, path, open, reason)
}

/**
 * Returns the names by which manifests may mean a file: its path, and its other Unicode forms, unless another file has
 * that name. File systems that keep one form find the same file under each.
 */
const namesOf = async (
  store: ContentStore,
  path: string,
  open: readonly Ledger[],
  met: ContentEntry | string,
): Promise<readonly string[]> => {
  const names = [path]
  for (const form of otherNames(open, path)) {
    const found = await store.stat(form)()
    const isOther = found._tag === 'Right' && (typeof met === 'string' || found.right.version !== met.version)
    if (!isOther) names.push(form)
  }
  return names
}

async function* verdictOn(store: ContentStore, bag: BagSeen): AsyncGenerator<Surveyed> {
  const path = bag.folder || '.'
  const reasons = await leave(store, bag)
  const found = reasons.map((reason): Problem => ({ kind: 'problem', path, reason }))
  yield* found
  countProblems(bag, found)
  const { problems, firstProblems, strays, firstStray, files, bytes } = bag
  const isComplete = problems === 0
  yield { kind: 'bag', path, isComplete, problems, firstProblems, strays, firstStray, files, bytes }
}

/** Yields one file, found or missing, its problems in its bags, and the contradictions between its manifests. */
async function* reportOn(
  store: ContentStore,
  path: string,
  open: readonly Ledger[],
  met: ContentEntry | string,
): AsyncGenerator<Surveyed> {
  const names = await namesOf(store, path, open, met)
  for (const ledger of open)
    if (isNamedTwice(ledger, names)) {
      const twice: Problem = {
        kind: 'problem',
        path,
        reason: 'is named a second time, in another Unicode form',
      }
      if (ledger.bag) countProblems(ledger.bag, [twice])
      yield twice
    }
  const words = open.flatMap((ledger) => takeWords(ledger, names))
  const { checksums, recordedFrom, conflicts } = reconcile(words)
  const contradictions = conflicts.map((reason): Problem => ({ kind: 'problem', path, reason }))
  yield* contradictions
  if (typeof met === 'string') {
    const from = recordedFrom || 'manifests that disagree'
    return yield { kind: 'missing', path, checksums, recordedFrom: from, note: met }
  }
  const from = words.map((word) => word.from)
  for (const { bag } of open) {
    const reason = bag && meet(bag, path, met.size, from)
    const lacking: readonly Problem[] = reason ? [{ kind: 'problem', path, reason }] : []
    if (bag) countProblems(bag, [...lacking, ...contradictions])
    yield* lacking
  }
  const { size, version, modifiedAt, mayBeArchived } = met
  const file = { path, size, version, modifiedAt, ...(mayBeArchived && { mayBeArchived }) }
  if (checksums.length > 0) yield { kind: 'recorded', ...file, checksums, recordedFrom }
  else yield { kind: 'unread', ...file }
}
