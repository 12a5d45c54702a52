import type { Answered, ComparisonEvent } from './events.ts'

/** Most requests of a store that wait for a comparison; one more is rejected. */
export const maxRequests = 100

type Requests = readonly Answered[]

/** Returns the requests to take new files in that wait after an event. Logs of older programs may hold more: the oldest are left out. */
export const requestsAfter = (before: Requests, { type, data }: ComparisonEvent): Requests => {
  if (type === 'TakeInRequested') {
    const { at, prefix, isFile } = data
    return [...before, { at, prefix, ...(isFile && { isFile }) }].slice(-maxRequests)
  }
  const { answered, requestedAt } = data
  return answered
    ? without(before, answered)
    : before.filter(({ at }) => requestedAt === undefined || at > requestedAt)
}

/** Each answer takes one request away: the same may have been asked once more. */
const without = (requests: Requests, answered: Requests): Requests => {
  const left = answered.map(keyOf)
  return requests.filter((request) => {
    const i = left.indexOf(keyOf(request))
    if (i >= 0) left.splice(i, 1)
    return i < 0
  })
}

const keyOf = ({ at, prefix, isFile }: Answered): string => JSON.stringify([at, prefix, isFile === true])
