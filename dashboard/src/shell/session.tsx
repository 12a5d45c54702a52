import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { Answer } from '../api/client.ts'

export type Session = Answer<'/session'>

/** Until the server has said so, nobody may write. */
export const SessionContext = createContext<Session>({ mayWrite: false, needsToken: false })

export const useSession = (): Session => useContext(SessionContext)
