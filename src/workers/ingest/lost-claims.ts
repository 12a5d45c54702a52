import { UnavailableError } from '../../async/unavailable.ts'
import { jobs } from '../../domain/ingest/views.ts'
import { rowsIfFolded } from '../../domain/kernel/read-views.ts'
import { SECOND } from '../../domain/kernel/time.ts'
import type { ViewStore } from '../../ports/view-store.ts'

/** Views change with every event: they are read no more often than this. */
const pollMillis = SECOND

interface Held {
  readonly fence: number
  readonly over: AbortController
}

interface LostClaims {
  /** While a job runs: aborts once the views show that its claim has ended. */
  watch(job: number, fence: number): { readonly signal: AbortSignal; end(): void }
  stop(): void
}

/**
 * Notifies a worker that its claim has ended, long before extending it would fail: a person forced the job to fail
 * (N15), or its batch was deleted.
 */
export const watchClaims = (
  viewStore: Pick<ViewStore, 'query'>,
  onViewChange: (listener: () => void) => () => void,
): LostClaims => {
  const held = new Map<number, Held>()
  let timer: NodeJS.Timeout | undefined

  const checkClaims = () => {
    timer = undefined
    if (held.size === 0) return
    const mine = { column: 'job', is: 'in', value: [...held.keys()] } as const
    for (const { job, fence, holder } of known(() => rowsIfFolded(viewStore, jobs, { where: [mine] }))) {
      const claim = held.get(job)
      // An older row says nothing of this claim.
      if (!claim || fence === null || fence < claim.fence) continue
      if (fence > claim.fence || holder === null)
        claim.over.abort(new Error('another process holds the job now, or it has ended'))
    }
  }
  const stopListening = onViewChange(() => {
    timer ??= setTimeout(checkClaims, pollMillis).unref()
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
      clearTimeout(timer)
    },
  }
}

/** Unavailable views say nothing at present; extending the claim will. */
const known = <Row>(read: () => readonly Row[]): readonly Row[] => {
  try {
    return read()
  } catch (error) {
    if (error instanceof UnavailableError) return []
    throw error
  }
}
