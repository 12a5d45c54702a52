import { changed } from '../../address/address.ts'
import { Link, useAddress } from '../../address/use-address.tsx'
import { useAnswer } from '../../api/use-answer.ts'
import { usePast } from '../../api/use-past.ts'
import { Answer } from '../../parts/answer.tsx'
import { SavedViews } from '../../parts/saved-views.tsx'
import { AsOf } from '../../parts/time.tsx'
import { EventList } from './event-list.tsx'
import { Filter } from './filter.tsx'
import { LiveEvents } from './live-events.tsx'
import { LogMenu } from './log-menu.tsx'

/** The log: browsed from either end, filtered, and followed live. */
const Log = () => {
  const { query } = useAddress()
  const past = usePast()
  return (
    <>
      <h1>Log</h1>
      <LogMenu />
      <Filter />
      <SavedViews />
      {query.has('live') && past && (
        <p class="of-now">The past is shown, which nothing is added to: it is not followed live.</p>
      )}
      {query.has('live') && !past ? <LiveEvents key={String(query)} /> : <Browsed />}
    </>
  )
}

const pageSize = 100

const Browsed = () => {
  const address = useAddress()
  const past = usePast()
  const { query } = address
  const from = query.get('from') ?? undefined
  const before = from === undefined ? (query.get('before') ?? 'end') : undefined
  const asked = {
    category: query.getAll('category'),
    type: query.getAll('type'),
    from,
    before,
    limit: pageSize,
  }
  const shown = useAnswer('/api/v1/events', { query: definedIn(asked) })
  return (
    <Answer of={shown}>
      {({ events, next, more }, at) => {
        const newestFirst = from === undefined ? events : events.toReversed()
        const newest = newestFirst[0]?.position ?? (from === undefined ? before : next)
        const oldest = newestFirst.at(-1)?.position ?? (from === undefined ? next : from)
        const hasOlder = from === undefined ? more : from !== '0'
        const hasNewer = from === undefined ? before !== 'end' : more
        const to = (place: { from?: string; before?: string }) =>
          changed(address, { from: undefined, before: undefined, ...place })
        return (
          <>
            <nav aria-label="Places in the log">
              <ul>
                <li>
                  <Link to={to({})} current={before === 'end'}>
                    Newest
                  </Link>
                </li>
                <li>
                  {hasNewer ? (
                    <Link to={to({ from: after(newest) })}>Newer</Link>
                  ) : (
                    <span class="why">{past ? 'Newer: none by then' : 'Newer: none yet'}</span>
                  )}
                </li>
                <li>
                  {hasOlder ? (
                    <Link to={to({ before: oldest ?? '0' })}>Older</Link>
                  ) : (
                    <span class="why">Older: none</span>
                  )}
                </li>
                <li>
                  <Link to={to({ from: '0' })} current={from === '0'}>
                    Oldest
                  </Link>
                </li>
              </ul>
            </nav>
            {events.length === 0 ? (
              <p>
                {more
                  ? 'None of the events looked at is such a one; go on looking.'
                  : 'There is no such event.'}
              </p>
            ) : (
              <EventList events={newestFirst} says="Events, the newest first" />
            )}
            <AsOf at={at} />
          </>
        )
      }}
    </Answer>
  )
}

const after = (position: string | undefined): string =>
  position === undefined || position === 'end' ? '0' : String(BigInt(position) + 1n)

/** Without what is undefined: the types tell the two apart. */
const definedIn = <T extends object>(all: T) =>
  Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>
  }

export default Log
