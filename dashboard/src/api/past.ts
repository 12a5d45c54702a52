import { asOfRoutes } from './as-of-routes.ts'

/* Questions under a signal are asked about the past that is shown, here and nowhere else; of those that cannot be, a note is taken. */

/** The past that is shown. */
export interface Past {
  /** A position, or a time. */
  readonly at: string
  /** Of a position, that of its event. */
  readonly time: Date
}

interface Asked {
  readonly past: Past | undefined
  /** Whether something was answered as it is now, and something as it was. */
  isOfNow: boolean
  isOfThen: boolean
}

const asked = new WeakMap<AbortSignal, Asked>()

export { asOfRoutes }

/** What they answer is the same at any time, or they are told the moments that they are asked about. */
const timeless: ReadonlySet<string> = new Set([
  '/api/v1/commands',
  '/api/v1/events/{position}',
  '/api/v1/events/moment',
  '/api/v1/events/times',
  '/api/v1/proof/consistency',
  '/api/v1/proof/event',
  '/api/v1/views',
  '/api/v1/views/{view}/diff',
])

/** What is asked under this signal is asked about the past. */
export const askUnder = (signal: AbortSignal, past: Past | undefined): void => {
  asked.set(signal, { past, isOfNow: false, isOfThen: false })
}

/** The past that a question is about, of which it is noted whether it can be asked. */
export const noted = (path: string, signal: AbortSignal | undefined): Past | undefined => {
  const one = signal && asked.get(signal)
  if (!one?.past) return undefined
  if (asOfRoutes.has(path)) one.isOfThen = true
  else if (!timeless.has(path)) one.isOfNow = true
  return one.past
}

/** How much of what was answered under a signal is as of now, while the past is shown. */
export type OfNow = 'none' | 'part' | 'all'

export const ofNow = (signal: AbortSignal): OfNow => {
  const one = asked.get(signal)
  if (!one?.isOfNow) return 'none'
  return one.isOfThen ? 'part' : 'all'
}

/** The time that what is asked under a signal holds for. */
export const nowUnder = (signal: AbortSignal): Date => asked.get(signal)?.past?.time ?? new Date()

/** A question, asked about the past where that can be. */
export const asOf = (path: string, query: object = {}, past: Past | undefined): object =>
  past && asOfRoutes.has(path) ? { asOf: past.at, ...query } : query
