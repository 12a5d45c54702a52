import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { Answer } from '../api/client.ts'

export type Session = Answer<'/session'>

/** Until the server has said so, nobody may write. */
export const SessionContext = createContext<Session>({
  ...{ mayWrite: false, needsToken: false, permission: 'read', person: null, refused: [] },
})

export const useSession = (): Session => useContext(SessionContext)
