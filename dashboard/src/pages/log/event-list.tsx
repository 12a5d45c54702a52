import { pathOf } from '../../address/address.ts'
import { Link } from '../../address/use-address.tsx'
import type { Answer } from '../../api/client.ts'
import { Actor } from '../../parts/actor.tsx'
import { LongList } from '../../parts/long-list.tsx'
import { Name } from '../../parts/name.tsx'
import { Time } from '../../parts/time.tsx'
import { count } from '../../parts/words.ts'

export type LogEvent = Answer<'/api/v1/events/{position}'>

type Rows = Parameters<typeof LongList<LogEvent>>[0]['rows']

export const eventAt = (position: string): string => pathOf('/log/events/:position', { position })
export const streamAt = (stream: string): string => pathOf('/log/streams/:stream', { stream })

/** Events, a line each, in the order given. */
export const EventList = ({
  events,
  says,
  onSeen,
}: {
  readonly events: Rows
  readonly says: string
  readonly onSeen?: (first: number) => void
}) => (
  <LongList
    caption={says}
    rows={events}
    {...(onSeen && { onSeen })}
    keyOf={({ position }) => position}
    columns={[
      {
        title: 'Position',
        cell: ({ position }) => <Link to={eventAt(position)}>{count(position)}</Link>,
      },
      { title: 'Taken at', cell: ({ recordedAt }) => <Time at={recordedAt} form="when" /> },
      { title: 'Type', cell: ({ type }) => <Name text={type} /> },
      { title: 'Stream', cell: ({ stream }) => <Name text={stream} to={streamAt(stream)} /> },
      { title: 'By', cell: ({ metadata: { actor } }) => <Actor text={actor} /> },
    ]}
  />
)
