import { createHash, randomUUID } from 'node:crypto'
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isSystemError } from '@fonds/toolbox'
import { sync } from '@fonds/toolbox/disk'
import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { UnusableIndex } from './index-errors.ts'

const Count = t.refinement(t.number, (n) => Number.isSafeInteger(n) && n >= 0, 'whole number from 0')
const Position = t.refinement(t.string, (text) => /^\d{1,30}$/.test(text), 'position')
const Hex = t.refinement(t.string, (text) => /^[0-9a-f]{64}$/.test(text), 'SHA-256')
/** Restricted, since names are joined to the folder's path. */
const Name = t.refinement(t.string, (text) => /^[a-z]-[\w-]+$/.test(text), 'name of a run')

const body = { name: Name, lines: Count, bytes: Count, sha256: Hex, first: t.string, last: t.string }
export const WrittenRunShape = t.type(body, 'written run')

/**
 * One publication of a file's lines: they hold from a position on, up to the one at which they were
 * withdrawn. Posted lines belong to no file, and never end: the latest publication that has a line, by
 * number, decides whether it was added or removed.
 */
export const Publication = t.intersection(
  [
    t.type({ number: Count, file: t.string, sha256: Hex, from: Position }),
    t.partial({ to: Position, posted: t.keyof({ added: null, removed: null }) }),
  ],
  'publication',
)
export type Publication = t.TypeOf<typeof Publication>

/**
 * Each publication's lines are in one live run. When that is merged, the lines of an ended publication move
 * to a removed run.
 */
export const Run = t.intersection(
  [
    t.type({
      ...body,
      level: Count,
      files: Count,
      /**
       * Its publications that ended, each with the position. Empty for a removed run, whose publications have
       * their ends.
       */
      ended: t.array(t.tuple([Count, Position])),
    }),
    t.partial({
      /** The publication of a run that was never merged; those of other runs are in a file of their own. */
      publication: Publication,
      /** It has posted lines. */
      posted: t.literal(true),
      /** Present if the run is damaged. These blocks are ignored. */
      bad: t.array(Count),
      /**
       * Time of the last comparison of all of it with its digest, in ms; absent: none since it was written.
       */
      checkedAt: Count,
    }),
  ],
  'run',
)
export type Run = t.TypeOf<typeof Run>

/** Lines that are in no run any more, because their blocks were damaged. */
export const Loss = t.type(
  {
    run: Name,
    /** Time at which the loss was found, in ms. */
    at: Count,
    lines: Count,
    blocks: Count,
    /**
     * Keys of the last good line before the first damaged stretch, and of the first behind the last; empty:
     * none.
     */
    from: t.string,
    to: t.string,
    /** Publications whose lines may be among them: files that were not published again since, and posts. */
    publications: t.array(Publication),
  },
  'loss',
)
export type Loss = t.TypeOf<typeof Loss>

export const Manifest = t.intersection(
  [
    t.type({
      position: Position,
      nextPublication: Count,
      /** Oldest first. */
      live: t.array(Run),
      removed: t.array(Run),
      /** Replaced runs, with the time of replacement in ms: kept for a while for readers that use them. */
      retired: t.array(t.type({ name: Name, at: Count })),
    }),
    t.partial({
      /** Texts that were given with the last change, at `position`; absent if there were none. */
      event: t.record(t.string, t.string),
      /** Number of the last publication that removed posted lines; absent: none did. */
      lastRemoval: Count,
      losses: t.array(Loss),
    }),
  ],
  'manifest',
)
export type Manifest = t.TypeOf<typeof Manifest>

export const emptyManifest: Manifest = {
  position: '0',
  nextPublication: 1,
  live: [],
  removed: [],
  retired: [],
}

const title = 'fonds.capture-index 1'

export const manifestFile = (folder: string): string => join(folder, 'manifest')

/** Throws `UnusableIndex` if the file is damaged or another program's. A missing index is empty. */
export const readManifest = (folder: string): Manifest => {
  const path = manifestFile(folder)
  const text = textIn(path)
  if (text === undefined) return emptyManifest
  const end = text.indexOf('\n')
  const head = text.slice(0, Math.max(end, 0))
  const body = text.slice(end + 1)
  if (!head.startsWith('fonds.capture-index '))
    throw new UnusableIndex(`${path} is not the manifest of a capture index; name another folder`)
  if (!head.startsWith(`${title} `))
    throw new UnusableIndex(
      `${path} is of another version (${head.slice(0, 40)}): use the program that wrote it`,
    )
  if (head !== `${title} ${sha256(body)}`)
    throw new UnusableIndex(
      `${path} is damaged: put a backup of the folder in its place, or index the files again`,
    )
  const decoded = Manifest.decode(JSON.parse(body))
  if (E.isLeft(decoded))
    throw new UnusableIndex(
      `${path} has an unknown shape at ${decoded.left[0]?.context.map(({ key }) => key).join('.')}`,
    )
  return decoded.right
}

/** Replaces the manifest atomically. It is on disk on return. */
export const writeManifest = (folder: string, manifest: Manifest): void => {
  const body = JSON.stringify(manifest)
  replaceSynced(manifestFile(folder), `${title} ${sha256(body)}\n${body}`)
}

const replaceSynced = (path: string, text: string): void => {
  const next = `${path}.${randomUUID()}.tmp`
  try {
    writeFileSync(next, text, { flush: true })
    renameSync(next, path)
  } catch (error) {
    rmSync(next, { force: true })
    throw error
  }
  sync(dirname(path))
}

const textIn = (path: string): string | undefined => {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (isSystemError(error, 'ENOENT')) return undefined
    throw error
  }
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
