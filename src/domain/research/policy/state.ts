import type { PolicyEvent } from './events.ts'
import { defaultPolicy, type Policy } from './policy.ts'

/** Decisions of people for all of research. */
export interface PolicyState {
  /** Version of the settings; 0 are the defaults. */
  readonly version: number
  readonly policy: Policy
  readonly paused: boolean
  readonly pinnedCurators: ReadonlySet<string>
  readonly excludedCurators: ReadonlySet<string>
}

export const initial: PolicyState = {
  version: 0,
  policy: defaultPolicy,
  paused: false,
  pinnedCurators: new Set(),
  excludedCurators: new Set(),
}

/** The settings in force. */
export const policyOf = ({
  version,
  policy,
}: PolicyState): { readonly version: number; readonly policy: Policy } => ({
  version,
  policy,
})

export const evolve = (state: PolicyState, { type, data }: PolicyEvent): PolicyState => {
  switch (type) {
    case 'PolicySet':
      return { ...state, version: data.version, policy: data.policy }
    case 'AssigningPaused':
      return { ...state, paused: true }
    case 'AssigningResumed':
      return { ...state, paused: false }
    case 'CuratorPinned':
      return { ...state, pinnedCurators: withOne(state.pinnedCurators, data.curator) }
    case 'CuratorUnpinned':
      return { ...state, pinnedCurators: withoutOne(state.pinnedCurators, data.curator) }
    case 'CuratorExcluded':
      return { ...state, excludedCurators: withOne(state.excludedCurators, data.curator) }
    case 'CuratorIncluded':
      return { ...state, excludedCurators: withoutOne(state.excludedCurators, data.curator) }
    case 'WaitingClipsReleased':
    case 'ReopenRequested':
      return state
  }
}

const withOne = (some: ReadonlySet<string>, one: string): ReadonlySet<string> => new Set([...some, one])

const withoutOne = (some: ReadonlySet<string>, one: string): ReadonlySet<string> =>
  new Set([...some].filter((other) => other !== one))
