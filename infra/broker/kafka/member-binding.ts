import { aborted } from '../../../src/async/aborted.ts'
import type { Binder } from './binder.ts'
import type { MarkedOffsets } from './group-offsets.ts'
import type { Share } from './unmarked-offsets.ts'

export interface BindingDependencies {
  readonly binder: Binder
  /** Commits as this member in a generation of the group. Kafka rejects it in a later one. */
  readonly commitAs: (memberId: string, generation: number, offsets: MarkedOffsets) => Promise<void>
}

/** Binds the group whenever the member has joined it: each time with a new generation and another share. */
interface MemberBinding {
  /** Whether the group is this log's, for the newest generation. */
  readonly isBound: () => true | Promise<boolean>
  /** The member has joined. Rejects with what `Binder.bind` rejects with. */
  join(memberId: string, share: Share): Promise<boolean>
  /** To be called at each heartbeat: with these alone kafkajs gives the group's generation. */
  onHeartbeat(generation: number): void
  /** Ends what the last `join` began. */
  end(): void
}

export const createMemberBinding = (deps: BindingDependencies | undefined): MemberBinding => {
  let bound: Promise<boolean> | true = true
  let generation = Promise.withResolvers<number>()
  let joining = new AbortController()

  const bind = ({ binder, commitAs }: BindingDependencies, memberId: string, share: Share) => {
    joining = new AbortController()
    generation = Promise.withResolvers()
    const { signal } = joining
    const { promise } = generation
    const commit = async (offsets: MarkedOffsets): Promise<void> => {
      const number = await Promise.race([promise, aborted(signal)])
      if (number !== undefined && !signal.aborted) await commitAs(memberId, number, offsets)
    }
    return binder.bind(share, commit, signal)
  }

  return {
    isBound: () => bound,
    join: async (memberId, share) => {
      joining.abort()
      if (!deps) return true
      const binding = bind(deps, memberId, share)
      bound = binding.catch(() => false)
      return binding
    },
    onHeartbeat: (number) => generation.resolve(number),
    end: () => joining.abort(),
  }
}
