import { useEffect, useRef, useState } from 'preact/hooks'
import {
  type Answer,
  type Answered,
  type Asking,
  get,
  type Problem,
  type Readable,
  Refused,
} from './client.ts'
import { released } from './hold.ts'
import { useLive } from './live.tsx'
import { askUnder, type OfNow, ofNow } from './past.ts'
import { pause } from './pause.ts'
import { usePast } from './use-past.ts'

/** What was last answered, and why there is nothing newer. */
export interface Shown<Data> {
  readonly answered: Answered<Data> | undefined
  readonly problem: Problem | undefined
  /** How much of it is as of now, while the past is shown. */
  readonly ofNow: OfNow
}

const nothing = { answered: undefined, problem: undefined, ofNow: 'none' } as const

/** What a server cannot answer now (503), it can in a while: it is asked again. */
const passingMillis = 1500

/**
 * Asks a route, and again whenever the log has moved on. What was answered stays until there is something newer, and while a dialog
 * is open. While the past is shown it is asked about that, and once: the past does not change.
 */
export const useAnswer = <P extends Readable>(path: P, asking: Asking<P> = {}): Shown<Answer<P>> =>
  useAsked((signal) => get(path, asking, signal), JSON.stringify([path, asking]))

/** The same for any question; `name` says which one it is. */
export const useAsked = <Data>(
  ask: (signal: AbortSignal) => Promise<Answered<Data>>,
  name: string,
): Shown<Data> => {
  const { moves, connection } = useLive()
  const past = usePast()
  const key = past ? `${past.at} ${name}` : name
  const [shown, setShown] = useState<Shown<Data> & { readonly key: string }>()
  const again = useRef<(() => void) | undefined>(undefined)
  const asked = useRef({ key, moves })
  useEffect(() => {
    const leaving = new AbortController()
    askUnder(leaving.signal, past)
    let isFirst = true
    again.current = repeating(leaving.signal, async () => {
      const newer = await shownBy(ask, leaving.signal)
      if (!isFirst) await released()
      isFirst = false
      if (newer) setShown((before) => ({ key, ...(before?.key === key ? before : nothing), ...newer }))
    })
    asked.current = { key, moves }
    again.current()
    return () => leaving.abort()
  }, [key])
  const current = shown?.key === key ? shown : nothing
  const isSettled = past !== undefined && current.ofNow === 'none' && !current.problem && current.answered
  useEffect(() => {
    if (asked.current.moves !== moves && !isSettled) again.current?.()
  }, [moves])
  useEffect(() => {
    // A server that is lost is asked once it is heard again.
    if (current.problem?.status !== 503 || connection === 'lost') return
    const timer = setTimeout(() => again.current?.(), passingMillis)
    return () => clearTimeout(timer)
  }, [current.problem, connection])
  return current
}

/** Undefined where nobody waits for it any more. */
const shownBy = async <Data>(
  ask: (signal: AbortSignal) => Promise<Answered<Data>>,
  signal: AbortSignal,
): Promise<Partial<Shown<Data>> | undefined> => {
  try {
    const answered = await ask(signal)
    return signal.aborted ? undefined : { answered, problem: undefined, ofNow: ofNow(signal) }
  } catch (error) {
    if (signal.aborted) return undefined
    if (error instanceof Refused) return { problem: error.problem }
    throw error
  }
}

/** Nine tenths of the time a server has for others, however long an answer takes it. */
const calm = 9
const maxPauseMillis = 60_000

/**
 * One run at a time: whatever wants more meanwhile gets one more. A slow answer is waited for, not asked for again; the longer it
 * took, the longer is the pause before the next.
 */
const repeating = (signal: AbortSignal, run: () => Promise<void>): (() => void) => {
  let isUnderWay = false
  let isWantedAgain = false
  let earliest = 0
  return async () => {
    isWantedAgain = true
    if (isUnderWay) return
    isUnderWay = true
    try {
      while (isWantedAgain && !signal.aborted) {
        await pause(earliest - performance.now(), signal)
        isWantedAgain = false
        const began = performance.now()
        await run()
        const ended = performance.now()
        earliest = ended + Math.min(calm * (ended - began), maxPauseMillis)
      }
    } finally {
      isUnderWay = false
    }
  }
}
