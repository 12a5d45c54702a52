import { useEffect, useRef, useState } from 'preact/hooks'
import { useAddress } from '../../address/use-address.tsx'
import { addressOf, answered, get } from '../../api/client.ts'
import { type Connection, follow } from '../../api/follow.ts'
import { plural } from '../../parts/words.ts'
import { EventList, type LogEvent } from './event-list.tsx'

/** Events as they come, the newest first. None is lost: not by a pause, not by a connection that breaks, not in a hidden tab. */
export const LiveEvents = () => {
  const { query } = useAddress()
  const [events, setEvents] = useState<readonly LogEvent[]>([])
  const [connection, setConnection] = useState<Connection>('connecting')
  const [isPaused, setPaused] = useState(false)
  const last = useRef<string | undefined>(query.get('after') ?? undefined)
  const category = query.getAll('category')
  const type = query.getAll('type')
  useEffect(() => {
    if (isPaused) return
    const leaving = new AbortController()
    const { signal } = leaving
    const open = async (asked: RequestInit) => {
      // Known before the first event comes: a connection that breaks until then loses none.
      last.current ??= await newestPosition(signal)
      return answered(addressOf('/api/v1/changes', {}, { category, type, after: last.current }), asked)
    }
    void follow(open, {
      signal,
      onConnection: (now) => {
        if (!signal.aborted) setConnection(now)
      },
      onTold: (told) => {
        last.current = told.at(-1)?.id ?? last.current
        const came = told.flatMap(({ data }) => (data === undefined ? [] : [data as LogEvent]))
        if (came.length > 0) setEvents((before) => [...came.toReversed(), ...before])
      },
    })
    return () => leaving.abort()
  }, [isPaused])
  return (
    <>
      <p role="status">
        {isPaused
          ? 'Paused'
          : connection === 'live'
            ? 'Following'
            : connection === 'lost'
              ? 'Lost; trying again'
              : 'Connecting'}
        : {plural(events.length, 'event')} since this was opened.{' '}
        <button type="button" onClick={() => setPaused(!isPaused)}>
          {isPaused ? 'Go on' : 'Pause'}
        </button>
      </p>
      <EventList events={events} says="Events as they come, the newest first" />
    </>
  )
}

const newestPosition = async (signal: AbortSignal): Promise<string> => {
  const { data } = await get('/api/v1/events', { query: { before: 'end', limit: 1 } }, signal)
  return data.events[0]?.position ?? '-1'
}
