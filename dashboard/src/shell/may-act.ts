import { usePast } from '../api/use-past.ts'
import { type Session, useSession } from './session.tsx'

/** What an act needs: an operator's command, or a permission. */
export interface Needs {
  readonly command?: string | undefined
  /** Absent: `operate`. */
  readonly permission?: Session['permission'] | undefined
}

/** Why something cannot be changed here, in a sentence; undefined where it can. */
export const useNoActs = (needs: Needs = {}): string | undefined => {
  const session = useSession()
  if (usePast()) return 'The past is shown: commands are off.'
  return noPermission(session, needs)
}

export const noPermission = (
  { mayWrite, permission, person, refused }: Session,
  { command, permission: needed }: Needs,
): string | undefined => {
  if (!mayWrite && person === null) return 'This session may only read.'
  if (!mayWrite) return 'You may read here. Ask who administers Fonds to do more.'
  const isRefused = needed === 'administer' ? permission !== 'administer' : refused.includes(command ?? '')
  return isRefused ? 'This needs the permission to administer. Ask who administers Fonds.' : undefined
}

/** The same for what only administrators do. */
export const useNoAdministration = (): string | undefined => {
  const { permission } = useSession()
  const noActs = useNoActs()
  return noActs ?? (permission === 'administer' ? undefined : 'This session may not administer.')
}
