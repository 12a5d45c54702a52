import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { Past } from './past.ts'

export const PastContext = createContext<Past | undefined>(undefined)

/** Undefined: the present is shown. */
export const usePast = (): Past | undefined => useContext(PastContext)

/** The time that ages are told by. */
export const useNow = (): Date => usePast()?.time ?? new Date()
