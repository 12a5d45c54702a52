import { newestFact } from '../app/newest-fact.ts'
import { UnavailableError } from '../async/unavailable.ts'
import { whileAnybody } from '../async/while-anybody.ts'
import type { EventStore } from '../ports/event-store.ts'
import type { ApiContext } from './context.ts'
import { frame } from './http/server-sent-events.ts'
import { viewPositions } from './wait-for-views.ts'

/** A view, and the projection that folds it. */
interface Followed {
  readonly view: string
  readonly projection: string
}

type Follow = (signal: AbortSignal) => AsyncGenerator<string>

/** Between two steps: whoever is told asks the view, and sees no more than that. */
const calmMillis = 100

/**
 * Follows views for any number of listeners. Those of one view go along in the same steps: each is asked for and written as text once.
 * Each listener is told the last step at once, then what comes; steps that come while it is sent one are passed over.
 */
export const liveViews = (context: ApiContext) => {
  const all = new Map<string, Follow>()
  return async function* (followed: Followed, signal: AbortSignal): AsyncGenerator<string> {
    const { view } = followed
    const follow = all.get(view) ?? together(context, followed, () => all.delete(view))
    all.set(view, follow)
    yield* follow(signal)
  }
}

const together = (context: ApiContext, { view, projection }: Followed, onEnd: () => void): Follow => {
  const { clock, eventStore } = context.system
  let last: string | undefined
  const shared = whileAnybody(async ({ signal, moved }) => {
    let before: bigint | undefined
    for await (const position of viewPositions(context, projection, signal)) {
      if (before === undefined || (await movedByFacts(eventStore, before, position))) {
        last = frame(position, { view, position })
        moved()
      }
      before = position
      await clock.sleep(calmMillis, signal)
    }
  }, onEnd)

  return async function* (signal) {
    const leave = shared.join(signal)
    try {
      let sent: string | undefined
      while (!signal.aborted && shared.goesOn()) {
        if (last === sent) await shared.move()
        else {
          sent = last
          yield last as string
        }
      }
    } finally {
      leave()
    }
  }
}

type Log = Pick<EventStore, 'readBack'>

/**
 * Whether a view that moved from behind one position up to another may show anything new: false where only events of leader leases lie
 * between, which no view shows. True where the log is away.
 */
const movedByFacts = async (log: Log, behind: bigint, upTo: bigint): Promise<boolean> => {
  try {
    return (await newestFact(log, behind, upTo + 1n)) !== undefined
  } catch (error) {
    if (error instanceof UnavailableError) return true
    throw error
  }
}
