import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { Problem } from '../../api/client.ts'
import type { Past } from '../../api/past.ts'
import type { Around } from './around.ts'

/** What is shown: the present, a moment of the past, or nothing, which might be taken for either. */
export type Shown =
  | { readonly kind: 'now' | 'looking' }
  | { readonly kind: 'past'; readonly past: Past; readonly around: Around }
  | { readonly kind: 'unfit'; readonly at: string; readonly why: string }
  | { readonly kind: 'refused'; readonly problem: Problem }

export interface TimeMachineState {
  readonly shown: Shown
  /** Whether its row is open. */
  readonly isOpen: boolean
  readonly open: (isOpen: boolean) => void
}

export const TimeMachineContext = createContext<TimeMachineState>({
  shown: { kind: 'now' },
  isOpen: false,
  open: () => {},
})

export const useTimeMachine = (): TimeMachineState => useContext(TimeMachineContext)
