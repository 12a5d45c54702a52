import { posix } from 'node:path'
import type { BagStructure } from '../../../domain/fixity/bags/judging.ts'
import type { Checksum } from '../../../domain/fixity/checksum.ts'
import { digests } from '../../../domain/fixity/witness.ts'
import type { Clock } from '../../../ports/clock.ts'
import type { Problem } from '../../../workers/fixity/problem.ts'
import type { Surveyed } from '../../../workers/fixity/survey.ts'
import type { KnownFile } from '../known-checksums.ts'

/** A bag that a survey has left. */
export interface ListedBag {
  /** Path of its folder; `.` is the root. */
  readonly bag: string
  readonly structure: Omit<BagStructure, 'items' | 'listedAt'>
}

/** More files whose manifests have other digests than their records are not remembered by name. */
const maxOtherwise = 10_000
const maxProblems = 5
/** So many files that were changed are kept by name: a later check of these is seen at once. */
const maxChangedPaths = 50

/**
 * Follows a survey, and gathers its bags: whether each is complete, and whether its files are recorded with all digests
 * of its manifests. What is verified was compared with the record: a digest that the record lacks was compared with
 * nothing.
 */
export const createBagWatch = (clock: Pick<Clock, 'now'>) => {
  const bags: ListedBag[] = []
  const otherwise: Problem[] = []
  let forgotten = 0
  /** Folders of files without a record, with their number. */
  const unrecorded = new Map<string, number>()
  const changed = new Map<string, Changed>()
  /** `isRecorded`: whether a file without a record is being recorded now. */
  const see = (found: Surveyed, known: ReadonlyMap<string, KnownFile>, isRecorded: boolean): void => {
    if (found.kind === 'bag') {
      bags.push(listed(found, { otherwise, forgotten, unrecorded, changed }))
      return
    }
    if (found.kind !== 'recorded' && found.kind !== 'unread') return
    const record = known.get(found.path)
    if (!record) {
      if (isRecorded) return
      const folder = folderOf(found.path)
      unrecorded.set(folder, (unrecorded.get(folder) ?? 0) + 1)
      return
    }
    if (isChanged(record, found, clock.now())) {
      const folder = folderOf(found.path)
      const { count, first } = changed.get(folder) ?? { count: 0, first: [] }
      changed.set(folder, {
        count: count + 1,
        first: first.length < maxChangedPaths ? [...first, found.path] : first,
      })
    }
    const reason = found.kind === 'recorded' ? differs(record.checksums, found.checksums) : undefined
    if (!reason) return
    if (otherwise.length < maxOtherwise) otherwise.push({ kind: 'problem', path: found.path, reason })
    else forgotten++
  }
  return { bags: bags as readonly ListedBag[], see }
}

interface Changed {
  readonly count: number
  readonly first: readonly string[]
}

interface Seen {
  readonly otherwise: readonly Problem[]
  readonly forgotten: number
  readonly unrecorded: ReadonlyMap<string, number>
  /** By folder: files that are not as they were when they were read. */
  readonly changed: ReadonlyMap<string, Changed>
}

const listed = (
  { path: bag, ...found }: Extract<Surveyed, { readonly kind: 'bag' }>,
  { otherwise, forgotten, unrecorded, changed }: Seen,
): ListedBag => {
  const isWithin = (path: string) => bag === '.' || path === bag || path.startsWith(`${bag}/`)
  const differing = otherwise.filter(({ path }) => isWithin(path))
  const problems = [...found.firstProblems, ...differing].slice(0, maxProblems)
  const all = found.problems + differing.length + forgotten
  let files = 0
  for (const [folder, count] of unrecorded) if (isWithin(folder)) files += count
  const within = [...changed].flatMap(([folder, one]) => (isWithin(folder) ? [one] : []))
  const changedPaths = within.flatMap(({ first }) => first).slice(0, maxChangedPaths)
  const [firstChanged] = changedPaths
  return {
    bag,
    structure: {
      isComplete: found.isComplete && differing.length === 0 && forgotten === 0,
      problems: problems.map(({ path, line, reason }) => ({
        path,
        reason: line ? `line ${line}: ${reason}` : reason,
      })),
      problemsLeftOut: all - problems.length,
      strays: found.strays,
      firstStray: found.firstStray ?? null,
      unrecorded: files,
      files: found.files,
      bytes: found.bytes,
      ...(firstChanged !== undefined && {
        changed: within.reduce((sum, { count }) => sum + count, 0),
        firstChanged,
        changedPaths,
      }),
    },
  }
}

/**
 * Another size than recorded, or written to after the last check that read it. A time in the future tells nothing: some
 * clocks are wrong.
 */
const isChanged = (
  { size, lastVerified }: KnownFile,
  found: Extract<Surveyed, { readonly kind: 'recorded' | 'unread' }>,
  now: string,
): boolean =>
  (size !== null && size !== found.size) ||
  (lastVerified !== null && lastVerified < found.modifiedAt && found.modifiedAt <= now)

/** Returns why the record is not what the manifests say; undefined if it has all of their digests. */
const differs = (record: readonly Checksum[], stated: readonly Checksum[]): string | undefined => {
  const before = digests({ checksums: record })
  for (const { algorithm, value } of digests({ checksums: stated })) {
    const same = before.filter((one) => one.algorithm === algorithm)
    if (same.length === 0) return `its manifest has a digest (${algorithm}) that its record lacks`
    if (same.some((one) => one.value !== value)) return 'its manifest says otherwise than its record'
  }
  return undefined
}

const folderOf = (path: string): string => {
  const folder = posix.dirname(path)
  return folder === '.' ? '' : folder
}
