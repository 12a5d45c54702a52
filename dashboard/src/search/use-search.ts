import { useEffect, useState } from 'preact/hooks'
import { type Answer, get, type Problem, Refused } from '../api/client.ts'
import { askUnder, type Past } from '../api/past.ts'
import { pause } from '../api/pause.ts'
import type { Wanted } from './wanted.ts'

export interface Searched {
  /** Of an earlier text while the next answer is waited for. */
  readonly found?: Answer<'/api/v1/search'>
  readonly problem?: Problem
  readonly isAsking: boolean
}

/** Keys that follow each other within this time are one question. */
const pauseMillis = 60
/** Hits of a kind. */
const limit = 6
/** A server that had no time, for all of it or for some kinds, is asked again. */
const againMillis = 1500
const maxTimes = 20

/** Asks the server what is called so; as of the moment that is shown. */
export const useSearch = ({ text, kind }: Wanted, past: Past | undefined): Searched => {
  const [searched, setSearched] = useState<Searched>({ isAsking: false })
  const key = JSON.stringify([text, kind, past?.at])
  useEffect(() => {
    if (text === '') return setSearched({ isAsking: false })
    const leaving = new AbortController()
    askUnder(leaving.signal, past)
    setSearched(({ found }) => ({ ...(found && { found }), isAsking: true }))
    const ask = async () => {
      await pause(pauseMillis, leaving.signal)
      const query = { text, limit, ...(kind && { kind }) }
      const { data: found } = await get('/api/v1/search', { query }, leaving.signal)
      if (!leaving.signal.aborted) setSearched({ found, isAsking: false })
      return found.groups.length === 0 && found.leftOut.length > 0
    }
    const failed = (error: unknown): boolean => {
      if (leaving.signal.aborted) return false
      if (!(error instanceof Refused)) throw error
      setSearched({ problem: error.problem, isAsking: false })
      return error.problem.status === 503
    }
    const askAgain = async () => {
      for (let asked = 1; (await ask().catch(failed)) && asked < maxTimes; asked++)
        await pause(againMillis, leaving.signal)
    }
    void askAgain()
    return () => leaving.abort()
  }, [key])
  return searched
}
