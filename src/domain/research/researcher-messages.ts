import * as t from 'io-ts'
import { Time } from '../kernel/codecs.ts'
import { messageSpec, type TopicSpec } from '../kernel/message.ts'
import { engineExample } from './result-messages.ts'
import { Engine, MediaType, ResearcherId, shortText } from './terms.ts'

const Registered = t.intersection(
  [
    t.type({ researcher: ResearcherId, at: Time }),
    t.partial({ version: shortText(100), engine: Engine, mediaTypes: t.array(MediaType) }),
  ],
  'researcher.registered',
)
const Seen = t.type({ researcher: ResearcherId, at: Time }, 'researcher')

const personal = ['researcher']
const researcherExample = { researcher: 'listener-1', at: '2026-01-31T12:00:00.000Z' }

export const researchersTopic = {
  name: 'fonds.research.researchers',
  description: 'Who is there to do research. Work is handed out by their number (L1).',
  messages: [
    messageSpec(
      'researcher.registered',
      'A researcher is there and takes work.',
      Registered,
      {
        ...researcherExample,
        version: 'fonds 0.1.0',
        engine: engineExample,
        mediaTypes: ['audio/mpeg', 'audio/flac'],
      },
      personal,
    ),
    messageSpec(
      'researcher.beat',
      'It is still there; whoever is silent for too long counts as gone.',
      Seen,
      researcherExample,
      personal,
    ),
    messageSpec(
      'researcher.draining',
      'It finishes what it has and takes nothing new.',
      Seen,
      researcherExample,
      personal,
    ),
    messageSpec('researcher.gone', 'It has left.', Seen, researcherExample, personal),
  ],
  keyOf: (data) => (data as { researcher: string }).researcher,
} as const satisfies TopicSpec
