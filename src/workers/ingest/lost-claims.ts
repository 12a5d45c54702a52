import { UnavailableError } from '../../async/unavailable.ts'
import { jobs } from '../../domain/ingest/views.ts'
import { rowsIfFolded } from '../../domain/kernel/read-views.ts'
import { SECOND } from '../../domain/kernel/time.ts'
import type { ViewStore } from '../../ports/view-store.ts'

/** Views move on with every event: they are looked at no more often. */
const lookMillis = SECOND

interface Held {
  readonly fence: number
  readonly over: AbortController
}

interface LostClaims {
  /** While a job is worked on: aborts once the views show that its claim is over. */
  watch(job: number, fence: number): { readonly signal: AbortSignal; end(): void }
  stop(): void
}

/**
 * Tells a worker that its claim is over long before it would learn so by extending it: a person forced the job to fail
 * (N15), or its batch was deleted.
 */
export const watchClaims = (
  viewStore: Pick<ViewStore, 'query'>,
  onViewChange: (listener: () => void) => () => void,
): LostClaims => {
  const held = new Map<number, Held>()
  let looking: NodeJS.Timeout | undefined

  const look = () => {
    looking = undefined
    if (held.size === 0) return
    const mine = { column: 'job', is: 'in', value: [...held.keys()] } as const
    for (const { job, fence, holder } of known(() => rowsIfFolded(viewStore, jobs, { where: [mine] }))) {
      const claim = held.get(job)
      // Before its row shows the claim it says nothing of it.
      if (!claim || fence === null || fence < claim.fence) continue
      if (fence > claim.fence || holder === null)
        claim.over.abort(new Error('somebody else holds the job now, or it was settled'))
    }
  }
  const stopListening = onViewChange(() => {
    looking ??= setTimeout(look, lookMillis).unref()
  })

  return {
    watch: (job, fence) => {
      const over = new AbortController()
      const claim = { fence, over }
      held.set(job, claim)
      return {
        signal: over.signal,
        end: () => {
          if (held.get(job) === claim) held.delete(job)
        },
      }
    },
    stop: () => {
      stopListening()
      clearTimeout(looking)
    },
  }
}

/** Views that are away say nothing now; the claim's extension will. */
const known = <Row>(read: () => readonly Row[]): readonly Row[] => {
  try {
    return read()
  } catch (error) {
    if (error instanceof UnavailableError) return []
    throw error
  }
}
