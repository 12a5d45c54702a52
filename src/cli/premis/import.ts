import { premisOf } from '../../app/premis/export.ts'
import { type Imported, importPremis, NotImported } from '../../app/premis/import.ts'
import type { System } from '../../app/system.ts'
import type { Session } from '../context.ts'
import { freshViews } from '../fresh-views.ts'
import { type CliFailure, refused, usage } from '../output/exit-codes.ts'
import { writeRows } from '../output/format.ts'

interface ImportOptions {
  readonly source: string
  readonly thing?: string
  readonly actor: string
  readonly reason: string
}

type Row = Imported & { readonly file: string }

export const run = async (
  session: Session,
  files: readonly string[],
  given: ImportOptions,
): Promise<CliFailure | undefined> => {
  for (const name of ['source', 'thing', 'actor', 'reason'] as const)
    if (given[name]?.trim() === '') return usage(`--${name} must have text`)
  const system = await session.system()
  if (given.thing !== undefined) await sayIfUnknown(session, system, given.thing)
  const rows: Row[] = []
  try {
    for (const file of files)
      rows.push({ file, ...(await importPremis(system, file, given, session.signal)) })
  } catch (error) {
    const why = whyNot(error)
    if (why === undefined) throw error
    await write(session, rows)
    return refused(
      `${files[rows.length]}${why}`,
      'what came before it is imported; give the command again when it is mended: nothing is imported twice',
    )
  }
  await write(session, rows)
  return undefined
}

/** A slip in the name gives an archive a thing that it does not have. */
const sayIfUnknown = async (session: Session, system: System, thing: string): Promise<void> => {
  await freshViews(session, system)
  const found = await premisOf(system, thing)
  if ('kind' in found && found.kind === 'unknown') session.say(`nothing else is known of ${thing}`)
}

const unreadable: Readonly<Record<string, string>> = {
  ENOENT: ' is not there',
  EISDIR: ' is a folder; name the files in it',
  EACCES: ' may not be read by this user',
  EPERM: ' may not be read by this user',
}

/** Continues the name of the file; undefined for a fault of another kind. */
const whyNot = (error: unknown): string | undefined => {
  if (error instanceof NotImported) return `: ${error.message}`
  const { code = '' } = error as NodeJS.ErrnoException
  return Object.hasOwn(unreadable, code) ? unreadable[code] : undefined
}

const write = async ({ output }: Session, rows: readonly Row[]): Promise<void> => {
  if (rows.length === 0) return
  await writeRows(output, [rows.map((row) => ({ ...row }))], {
    columns: [
      { key: 'file', leaveOut: 'middle' },
      { key: 'events' },
      { key: 'imported' },
      { key: 'alreadyThere', title: 'already there' },
      { key: 'things' },
    ],
  })
}
