import { newestFact } from '../app/newest-fact.ts'
import { UnavailableError } from '../async/unavailable.ts'
import type { EventStore } from '../ports/event-store.ts'

type Log = Pick<EventStore, 'readBack'>

/** Listeners go along with the same views: the log is asked once of each step. */
const lastAnswers = new WeakMap<Log, { readonly step: string; readonly answer: Promise<boolean> }>()

/**
 * Whether a view that moved from behind one position up to another may show anything new: false where only events of leader leases lie
 * between, which no view shows. True where the log is away.
 */
export const movedByFacts = (log: Log, from: bigint, to: bigint): Promise<boolean> => {
  const step = `${from} ${to}`
  const last = lastAnswers.get(log)
  if (last?.step === step) return last.answer
  const answer = mayHoldFact(log, from, to)
  lastAnswers.set(log, { step, answer })
  return answer
}

const mayHoldFact = async (log: Log, behind: bigint, upTo: bigint): Promise<boolean> => {
  try {
    return (await newestFact(log, behind, upTo + 1n)) !== undefined
  } catch (error) {
    if (error instanceof UnavailableError) return true
    throw error
  }
}
