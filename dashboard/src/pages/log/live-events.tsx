import { useEffect, useRef, useState } from 'preact/hooks'
import { useAddress } from '../../address/use-address.tsx'
import { addressOf, answered, get } from '../../api/client.ts'
import { type Connection, follow } from '../../api/follow.ts'
import { plural } from '../../parts/words.ts'
import { EventList, type LogEvent } from './event-list.tsx'
import { filledIn, isLeftOut, type LeftOut, type LiveRow, rowsTold } from './live-rows.ts'

/** Rows that are seen at once, at most: of what comes within half a second no more are told. */
const screenful = 100

/**
 * Events as they come, the newest first. None is lost: not by a pause, not by a connection that breaks, not in a hidden tab. Of many at
 * once the newest are told, and how many others there are: these are asked for when their rows are seen.
 */
export const LiveEvents = () => {
  const { query } = useAddress()
  const [rows, setRows] = useState<readonly LiveRow<LogEvent>[]>([])
  const [first, setFirst] = useState(0)
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
      return answered(
        addressOf('/api/v1/changes', {}, { category, type, newest: screenful, after: last.current }),
        asked,
      )
    }
    void follow(open, {
      signal,
      onConnection: (now) => {
        if (!signal.aborted) setConnection(now)
      },
      onTold: (told) => {
        last.current = told.at(-1)?.id ?? last.current
        const came = rowsTold<LogEvent>(told)
        if (came.length > 0) setRows((before) => [...came.toReversed(), ...before])
      },
    })
    return () => leaving.abort()
  }, [isPaused])
  const missed = rows.slice(first, first + screenful).find(isLeftOut)
  useEffect(() => {
    if (!missed) return
    const leaving = new AbortController()
    void eventsOf(missed, { category, type }, leaving.signal).then(
      (events) => setRows((before) => filledIn(before, missed, events)),
      // Seen again, they are asked for again.
      () => {},
    )
    return () => leaving.abort()
  }, [missed])
  const at = (i: number) => {
    const row = rows[i]
    return row === undefined || isLeftOut(row) ? undefined : row
  }
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
        : {plural(rows.length, 'event')} since this was opened.{' '}
        <button type="button" onClick={() => setPaused(!isPaused)}>
          {isPaused ? 'Go on' : 'Pause'}
        </button>
      </p>
      <EventList
        events={{ total: rows.length, at }}
        says="Events as they come, the newest first"
        onSeen={setFirst}
      />
    </>
  )
}

const newestPosition = async (signal: AbortSignal): Promise<string> => {
  const { data } = await get('/api/v1/events', { query: { before: 'end', limit: 1 } }, signal)
  return data.events[0]?.position ?? '-1'
}

const maxEvents = 1000

const eventsOf = async (
  { after, upTo }: LeftOut,
  chosen: { readonly category: string[]; readonly type: string[] },
  signal: AbortSignal,
): Promise<readonly LogEvent[]> => {
  const found: LogEvent[] = []
  for (let from = BigInt(after) + 1n; ; ) {
    const query = { ...chosen, from: String(from), limit: maxEvents }
    const { events, next, more } = (await get('/api/v1/events', { query }, signal)).data
    found.push(...events.filter(({ position }) => BigInt(position) <= BigInt(upTo)))
    from = BigInt(next)
    if (!more || from > BigInt(upTo)) return found
  }
}
