import { orThrow } from '../../async/unavailable.ts'
import type { Session } from '../context.ts'
import type { CliFailure } from '../output/exit-codes.ts'
import { writeRows } from '../output/format.ts'
import type { Format } from '../output/formats.ts'

export const run = async (
  session: Session,
  { format }: { readonly format?: Format },
): Promise<CliFailure | undefined> => {
  const { people } = await session.home()
  const kept = await orThrow(people.list(), 'names and addresses')
  if (kept.length === 0) session.say('nobody is kept in this home')
  const rows = kept.map(({ reference, name, mail, lastSeen }) => ({
    ...{ reference, name: name ?? null, mail: mail ?? null, lastSeen: lastSeen ?? null },
  }))
  await writeRows(session.output, [rows], { ...(format && { format }) })
  return undefined
}
