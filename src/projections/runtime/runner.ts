import { isRight } from 'fp-ts/lib/Either.js'
import { type Following, type FollowOptions, follow, type ProjectionState } from './follow.ts'
import type { Projection } from './projection.ts'

export interface RunOptions extends FollowOptions {
  readonly projections: readonly Projection[]
  /** Queries may see more than before, whichever process folded it. */
  readonly onMove?: () => void
}

export interface ProjectionStatus {
  readonly projection: string
  readonly version: number
  /** Folded up to here; -1n for nothing. */
  readonly position: bigint
  /** End of the log, as of the last look at it. */
  readonly head: bigint | undefined
  /** How many positions behind the head; positions have gaps, so this is more than the events that wait. */
  readonly lag: bigint | undefined
  readonly state: ProjectionState
  readonly lastError: string | undefined
}

export interface RunningProjections {
  /**
   * Resolves when queries of all these projections see everything up to `position`. Rejects with `NotCaughtUp`,
   * naming those that do not, after `timeoutMillis` or when the projections are stopped.
   */
  whenCaughtUp(position: bigint, options?: { readonly timeoutMillis?: number }): Promise<void>
  /** Asks for the head of the log, too: the next call knows it. */
  status(): readonly ProjectionStatus[]
  /** Resolves when no transaction is under way any more. */
  stop(): Promise<void>
}

export class NotCaughtUp extends Error {
  override readonly name = 'NotCaughtUp'
}

interface Waiter {
  readonly position: bigint
  readonly resolve: () => void
  readonly reject: (error: NotCaughtUp) => void
}

/** Folds projections as events come. Any number of processes may do so on the same views: each event counts once. */
export const runProjections = (options: RunOptions): RunningProjections => {
  const { eventStore, clock, projections } = options
  const stopping = new AbortController()
  const waiters = new Set<Waiter>()
  const followings = projections.map(
    (): Following => ({ state: 'catching-up', position: -1n, visible: -1n, lastError: undefined }),
  )
  let askedHead: bigint | undefined

  const sees = (position: bigint) => followings.every(({ visible }) => visible >= position)
  const release = () => {
    options.onMove?.()
    for (const waiter of waiters) if (sees(waiter.position)) waiter.resolve()
  }

  const behind = (position: bigint): string =>
    followings
      .flatMap(({ visible, state, lastError }, i) =>
        visible >= position
          ? []
          : [`${projections[i]?.name} (${state}, at ${visible}${lastError ? `: ${lastError}` : ''})`],
      )
      .join(', ')

  const askHead = async () => {
    const head = await eventStore.head()()
    if (isRight(head)) askedHead = head.right
  }

  const done = Promise.all(
    projections.map((projection, i) =>
      follow(projection, options, followings[i] as Following, release, stopping.signal),
    ),
  )

  return {
    whenCaughtUp: async (position, { timeoutMillis } = {}) => {
      if (sees(position)) return
      if (stopping.signal.aborted) throw new NotCaughtUp(`the projections were stopped before ${position}`)
      const over = new AbortController()
      let waiter: Waiter | undefined
      try {
        await new Promise<void>((resolve, reject) => {
          waiter = { position, resolve, reject }
          waiters.add(waiter)
          if (timeoutMillis !== undefined)
            clock
              .sleep(timeoutMillis, over.signal)
              .then(() => reject(new NotCaughtUp(`not yet at position ${position}: ${behind(position)}`)))
        })
      } finally {
        if (waiter) waiters.delete(waiter)
        over.abort()
      }
    },

    status: () => {
      void askHead()
      const known = [askedHead, ...followings.map(({ position }) => position)]
      const head = known.reduce((most, each) => (each !== undefined && (most ?? -1n) <= each ? each : most))
      return followings.map(({ position, state, lastError }, i) => ({
        projection: projections[i]?.name ?? '',
        version: projections[i]?.version ?? 0,
        position,
        head,
        lag: head === undefined ? undefined : head - position,
        state,
        lastError,
      }))
    },

    stop: async () => {
      stopping.abort()
      for (const { position, reject } of waiters)
        reject(
          new NotCaughtUp(`the projections were stopped before position ${position}: ${behind(position)}`),
        )
      await done
    },
  }
}
