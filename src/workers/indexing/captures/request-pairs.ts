import type { Capture, CaptureRequest } from '@fonds/cdx'

/** Fields by which records belong together: their ids, of which one names the other (`WARC-Concurrent-To`), and one URL. */
export interface RecordNames {
  readonly id: string | undefined
  readonly concurrentTo: string | undefined
  readonly url: string | undefined
}

/** Gives captures the requests that they answer, whichever comes first. */
export interface RequestPairs {
  addCapture(capture: Capture, names: RecordNames): void
  /** Undefined: a request that needs no key of its own. */
  addRequest(request: CaptureRequest | undefined, names: RecordNames): void
  /** Passes on the captures that wait for a request. */
  end(): void
}

/** Records within which a request is looked for: writers put the two beside each other, or nearly so. */
const maxWaiting = 1000

interface Waiting<A> extends RecordNames {
  readonly value: A
}

/** `take` gets each capture once, with its request if there is one. */
export const createRequestPairs = (take: (capture: Capture) => void): RequestPairs => {
  const captures = createWaiting<Capture>(({ value }) => take(value))
  const requests = createWaiting<CaptureRequest | undefined>(() => {})
  return {
    addCapture: (capture, names) => {
      const request = requests.find(names)
      if (request) take(answering(capture, request.value))
      else captures.add({ value: capture, ...names })
    },
    addRequest: (request, names) => {
      const capture = captures.take(names)
      if (capture) take(answering(capture.value, request))
      else requests.add({ value: request, ...names })
    },
    end: captures.end,
  }
}

const answering = (capture: Capture, request: CaptureRequest | undefined): Capture =>
  request ? { ...capture, request } : capture

/** Records in their order, found by their ids or by those that they name. */
const createWaiting = <A>(release: (waiting: Waiting<A>) => void) => {
  const all = new Set<Waiting<A>>()
  const byId = new Map<string, Waiting<A>>()
  const byConcurrent = new Map<string, Waiting<A>>()

  const remove = (waiting: Waiting<A>) => {
    all.delete(waiting)
    if (waiting.id !== undefined && byId.get(waiting.id) === waiting) byId.delete(waiting.id)
    const { concurrentTo } = waiting
    if (concurrentTo !== undefined && byConcurrent.get(concurrentTo) === waiting)
      byConcurrent.delete(concurrentTo)
  }
  const find = ({ id, concurrentTo, url }: RecordNames): Waiting<A> | undefined =>
    [
      concurrentTo === undefined ? undefined : byId.get(concurrentTo),
      id === undefined ? undefined : byConcurrent.get(id),
    ].find((found) => found !== undefined && found.url === url)
  const releaseFirst = () => {
    const [first] = all
    if (!first) return false
    remove(first)
    release(first)
    return true
  }

  return {
    find,
    take: (names: RecordNames): Waiting<A> | undefined => {
      const found = find(names)
      if (found) remove(found)
      return found
    },
    add: (waiting: Waiting<A>): void => {
      all.add(waiting)
      if (waiting.id !== undefined) byId.set(waiting.id, waiting)
      if (waiting.concurrentTo !== undefined) byConcurrent.set(waiting.concurrentTo, waiting)
      if (all.size > maxWaiting) releaseFirst()
    },
    end: (): void => {
      while (releaseFirst());
    },
  }
}
