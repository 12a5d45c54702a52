import type { DeskEvent } from './events.ts'
import { defaultPolicy, type Policy } from './policy.ts'

/** What people decided for the whole of the work. */
export interface Desk {
  /** Of the settings; 0 are those that Fonds comes with. */
  readonly version: number
  readonly policy: Policy
  readonly paused: boolean
  readonly excludedCurators: ReadonlySet<string>
}

export const initial: Desk = {
  version: 0,
  policy: defaultPolicy,
  paused: false,
  excludedCurators: new Set(),
}

/** The settings in force. */
export const policyOf = ({
  version,
  policy,
}: Desk): { readonly version: number; readonly policy: Policy } => ({
  version,
  policy,
})

export const evolve = (desk: Desk, { type, data }: DeskEvent): Desk => {
  switch (type) {
    case 'PolicySet':
      return { ...desk, version: data.version, policy: data.policy }
    case 'AssigningPaused':
      return { ...desk, paused: true }
    case 'AssigningResumed':
      return { ...desk, paused: false }
    case 'CuratorExcluded':
      return { ...desk, excludedCurators: new Set([...desk.excludedCurators, data.curator]) }
    case 'CuratorIncluded':
      return {
        ...desk,
        excludedCurators: new Set([...desk.excludedCurators].filter((one) => one !== data.curator)),
      }
    case 'WaitingClipsReleased':
    case 'ReopenRequested':
      return desk
  }
}
