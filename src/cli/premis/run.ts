import { openForPerson } from '../../app/config/file-modes.ts'
import { baseForm, isBase } from '../../app/premis/base.ts'
import { type PremisFormat, premisDocument } from '../../app/premis/document.ts'
import { premisOf } from '../../app/premis/export.ts'
import { relatedThings } from '../../app/related-things.ts'
import { commandLine } from '../../projections/runtime/finder.ts'
import type { Session } from '../context.ts'
import { freshViews } from '../fresh-views.ts'
import { nearIds } from '../near-ids.ts'
import { type CliFailure, refused, usage } from '../output/exit-codes.ts'

interface PremisOptions {
  readonly related?: boolean
  readonly format: PremisFormat
  readonly base?: string
  readonly output?: string
}

export const run = async (
  session: Session,
  id: string,
  { related = false, format, base, output: file }: PremisOptions,
): Promise<CliFailure | undefined> => {
  const problem = baseProblem(base, format)
  if (problem !== undefined) return usage(problem)
  const home = related ? await session.system() : await session.home()
  await freshViews(session, home)
  const found = await premisOf(home, id, related ? await relatedIds(session, id) : [])
  if ('kind' in found) return found.kind === 'unknown' ? unknown(home, id) : notPreservation(id)
  const pieces = premisDocument(found, format, base)
  if (file === undefined) {
    for await (const piece of pieces) {
      session.signal.throwIfAborted()
      await session.output.write(piece)
    }
    return undefined
  }
  const whole = openForPerson(file)
  try {
    for await (const piece of pieces) {
      session.signal.throwIfAborted()
      whole.write(piece)
    }
    whole.done()
  } finally {
    whole.close()
  }
  session.say(`written to ${file}`)
  return undefined
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

const unknown = (home: Parameters<typeof nearIds>[0], id: string): CliFailure => {
  const near = nearIds(home, id)
  return refused(
    `nothing is known of ${id}`,
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
