import { usePast } from '../api/use-past.ts'
import { useSession } from './session.tsx'

/** Why nothing can be changed here, in a sentence; undefined where it can. */
export const useNoActs = (): string | undefined => {
  const { mayWrite } = useSession()
  if (usePast()) return 'The past is shown: commands are off.'
  return mayWrite ? undefined : 'This session may only read.'
}
