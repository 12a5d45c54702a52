import { useEffect, useState } from 'preact/hooks'
import { get } from '../../api/client.ts'
import type { Around } from './around.ts'

type Event = NonNullable<Around['event']>

/** The event that a time stands for, once the slider has rested there for a moment. */
export const useEventAt = (at: string | undefined): Event | undefined => {
  const [found, setFound] = useState<{ readonly at: string; readonly event: Event | null }>()
  useEffect(() => {
    if (at === undefined) return
    const leaving = new AbortController()
    const timer = setTimeout(() => {
      get('/api/v1/events/moment', { query: { at } }, leaving.signal).then(
        ({ data }) => setFound({ at, event: data.event }),
        // The slider still tells the time.
        () => undefined,
      )
    }, restMillis)
    return () => {
      clearTimeout(timer)
      leaving.abort()
    }
  }, [at])
  return (found?.at === at ? found?.event : undefined) ?? undefined
}

const restMillis = 80
