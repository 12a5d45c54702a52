import * as t from 'io-ts'
import { Text, Time } from '../kernel/codecs.ts'
import { messageSpec, type TopicSpec } from '../kernel/message.ts'
import { leaseExample } from './result-messages.ts'
import { ClipId, EpisodeId, LeaseId, MediaType, MediaUri } from './terms.ts'

const MediaOf = t.intersection([
  t.type({ title: Text, mediaUri: MediaUri, mediaType: MediaType }),
  t.partial({
    description: t.string,
    /**
     * The media were named by a party outside this machine: they are fetched only from public addresses, or allowed
     * hosts.
     */
    foreign: t.boolean,
  }),
])

/** The lease and its clips, with the data needed to fetch them (L26). */
export const WorkItem = t.type(
  {
    lease: LeaseId,
    episode: t.intersection([t.type({ id: EpisodeId }), MediaOf]),
    /** In the order in which they are to be searched for. */
    clips: t.array(t.intersection([t.type({ id: ClipId }), MediaOf])),
    /** It can be taken before this, which is before the deadline (L27, L28). */
    notAfter: Time,
    /** Deadline of the lease; each result moves it. */
    deadline: Time,
  },
  'work.item',
)
export type WorkItem = t.TypeOf<typeof WorkItem>

export const workItemsTopic = {
  name: 'fonds.research.work-items',
  description: 'Work for researchers: an episode and the clips to look for in it, under a lease.',
  madeBy: 'fonds',
  messages: [
    messageSpec(
      'work.item',
      'An episode and clips were leased; whoever takes the item researches them.',
      WorkItem,
      {
        lease: leaseExample,
        episode: {
          id: 'tbtl-4611',
          title: 'Episode 4611',
          mediaUri: 'https://media.example/4611.mp3',
          mediaType: 'audio/mpeg',
        },
        clips: [
          {
            id: 'gurgle-17',
            title: 'The gurgle',
            mediaUri: 'https://media.example/gurgle.mp3',
            mediaType: 'audio/mpeg',
          },
        ],
        notAfter: '2026-01-31T13:00:00.000Z',
        deadline: '2026-01-31T14:00:00.000Z',
      },
    ),
  ],
  keyOf: (data) => (data as WorkItem).episode.id,
} as const satisfies TopicSpec
