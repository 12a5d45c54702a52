import type { DeskEvent } from './events.ts'
import { defaultPolicy, type Policy } from './policy.ts'

/** What people decided for the whole of the work. */
export interface Desk {
  /** Of the settings; 0 are those that Fonds comes with. */
  readonly version: number
  readonly policy: Policy
  readonly paused: boolean
  readonly pinnedCurators: ReadonlySet<string>
  readonly excludedCurators: ReadonlySet<string>
}

export const initial: Desk = {
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
    case 'CuratorPinned':
      return { ...desk, pinnedCurators: withOne(desk.pinnedCurators, data.curator) }
    case 'CuratorUnpinned':
      return { ...desk, pinnedCurators: withoutOne(desk.pinnedCurators, data.curator) }
    case 'CuratorExcluded':
      return { ...desk, excludedCurators: withOne(desk.excludedCurators, data.curator) }
    case 'CuratorIncluded':
      return { ...desk, excludedCurators: withoutOne(desk.excludedCurators, data.curator) }
    case 'WaitingClipsReleased':
    case 'ReopenRequested':
      return desk
  }
}

const withOne = (some: ReadonlySet<string>, one: string): ReadonlySet<string> => new Set([...some, one])

const withoutOne = (some: ReadonlySet<string>, one: string): ReadonlySet<string> =>
  new Set([...some].filter((other) => other !== one))
