import { isLeft } from 'fp-ts/lib/Either.js'
import { openForPerson } from '../../app/config/file-modes.ts'
import { baseForm, isBase } from '../../app/premis/base.ts'
import { type PremisFormat, premisDocument } from '../../app/premis/document.ts'
import { premisOf } from '../../app/premis/export.ts'
import { withLeaves } from '../../app/premis/with-leaves.ts'
import { relatedThings } from '../../app/related-things.ts'
import { commandLine } from '../../projections/runtime/finder.ts'
import type { Session } from '../context.ts'
import { freshViews } from '../fresh-views.ts'
import { nearIds } from '../near-ids.ts'
import { type CliFailure, refused, usage } from '../output/exit-codes.ts'
import { parsePoint } from '../point.ts'
import { ownTree } from '../proof/own-tree.ts'
import { viewsThen } from './known-then.ts'

interface PremisOptions {
  readonly related?: boolean
  /** With the leaves of the events in the archive's tree. */
  readonly leaves?: boolean
  readonly format: PremisFormat
  readonly base?: string
  readonly output?: string
  readonly asOf?: string
}

export const run = async (
  session: Session,
  id: string,
  { related = false, leaves = false, format, base, output: file, asOf: when }: PremisOptions,
): Promise<CliFailure | undefined> => {
  const problem = baseProblem(base, format)
  if (problem !== undefined) return usage(problem)
  const point = when === undefined ? undefined : parsePoint(when)
  if (point && isLeft(point)) return usage(point.left)
  const home = related || leaves ? await session.system() : await session.home()
  const tree = leaves ? await ownTree(await session.system()) : undefined
  if (tree && isLeft(tree)) return tree.left
  await freshViews(session, home)
  const others = related ? await relatedIds(session, id) : []
  const then = point && (await viewsThen(session, home, point.right))
  try {
    const { eventStore, workflows, viewStore } = home
    const known = { eventStore, workflows, viewStore: then ?? viewStore }
    const found = await premisOf(known, id, others, point?.right)
    if ('kind' in found) return found.kind === 'unknown' ? unknown(home, id, when) : notPreservation(id)
    const items = tree ? withLeaves(found, eventStore, tree.right) : found
    await write(session, premisDocument(items, format, base), file)
    return undefined
  } finally {
    then?.close()
  }
}

const write = async (
  { signal, output, say }: Session,
  pieces: AsyncIterable<string>,
  file: string | undefined,
): Promise<void> => {
  if (file === undefined) {
    for await (const piece of pieces) {
      signal.throwIfAborted()
      await output.write(piece, 'as stored')
    }
    return
  }
  const whole = openForPerson(file)
  try {
    for await (const piece of pieces) {
      signal.throwIfAborted()
      whole.write(piece)
    }
    whole.done()
  } finally {
    whole.close()
  }
  say(`written to ${file}`)
}

/** The storage, which a home does not open, has the place of an object's files. */
const relatedIds = async (session: Session, id: string): Promise<readonly string[]> =>
  (await relatedThings(await session.system(), id)).map((one) => one.id)

/** Returns why `--base` is wrong; undefined if it is not. */
const baseProblem = (base: string | undefined, format: PremisFormat): string | undefined => {
  if (base === undefined) return undefined
  if (format !== 'rdf') return '--base is for --format rdf: XML has no addresses of objects and agents'
  return isBase(base) ? undefined : `--base ${JSON.stringify(base)} is not ${baseForm}`
}

const unknown = (home: Parameters<typeof nearIds>[0], id: string, when: string | undefined): CliFailure => {
  const near = nearIds(home, id)
  return refused(
    `nothing is known of ${id}${when === undefined ? '' : ` as of ${when}`}`,
    near.length > 0
      ? `did you mean ${near.join(', or ')}?`
      : `\`${commandLine('find', id)}\` looks for paths, names and numbers that begin so`,
  )
}

const notPreservation = (id: string): CliFailure =>
  refused(
    `nothing that happened to ${id} is a preservation event`,
    `\`${commandLine('history', id)}\` shows what did; docs/premis.md says which events are exported`,
  )
