import { changed } from '../../address/address.ts'
import { Link, useAddress } from '../../address/use-address.tsx'
import { useAnswer } from '../../api/use-answer.ts'
import { Answer } from '../../parts/answer.tsx'
import { Name } from '../../parts/name.tsx'
import { HistoryLink } from '../../parts/thing.tsx'
import type { PageProps } from '../../shell/lazy.tsx'
import { EventList } from './event-list.tsx'
import { LogMenu } from './log-menu.tsx'

/** One stream, the newest event first. */
const Stream = ({ values: { stream = '' } }: PageProps) => {
  const address = useAddress()
  const from = address.query.get('from') ?? undefined
  const shown = useAnswer('/api/v1/streams/{stream}', {
    path: { stream },
    query: { direction: 'backward', limit: 100, ...(from !== undefined && { from }) },
  })
  return (
    <>
      <h1>
        Stream <Name text={stream} isWhole />
      </h1>
      <LogMenu />
      <p>
        <HistoryLink id={stream.slice(stream.indexOf('-') + 1)} />
      </p>
      <Answer of={shown}>
        {({ events, more }) => (
          <>
            <nav aria-label="Places in the stream">
              <ul>
                <li>
                  <Link to={changed(address, { from: undefined })} current={from === undefined}>
                    Newest
                  </Link>
                </li>
                <li>
                  {more ? (
                    <Link
                      to={changed(address, { from: String(BigInt(events.at(-1)?.revision ?? '1') - 1n) })}
                    >
                      Older
                    </Link>
                  ) : (
                    <span class="why">Older: none</span>
                  )}
                </li>
              </ul>
            </nav>
            <EventList events={events} says="Events of the stream, the newest first" />
          </>
        )}
      </Answer>
    </>
  )
}

export default Stream
