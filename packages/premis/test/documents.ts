import { type PremisAgent, type PremisEvent, type PremisObject, term } from '@fonds/premis'

const person = { type: 'person', value: 'person#1' }
const program = { type: 'program', value: 'checker' }
export const letter = { type: 'path', value: 'letters/<1912>/"&\u0001\u009b\r\n03.tif' }
export const box = { type: 'ark', value: 'ark:/99999/fk4' }

/** A file in a box, a check of it by a program, and a decision of a person in words of one's own. */
export const objects: readonly PremisObject[] = [
  {
    category: 'intellectualEntity',
    identifiers: [box, { type: 'local', value: 'box 4' }],
    originalName: 'Box 4',
  },
  {
    category: 'file',
    identifiers: [letter],
    originalName: '03.tif',
    size: 10,
    fixity: [
      {
        algorithm: term('cryptographicHashFunctions', 'SHA-256'),
        digest: 'ab'.repeat(32),
        originator: 'depositor',
      },
      { algorithm: { value: 'whirlpool' }, digest: 'cd' },
    ],
    format: { name: 'TIFF', version: '6.0', registry: { name: 'PRONOM', key: 'fmt/353' } },
    location: { type: 'URI', value: 'file:///archive/03.tif' },
    partOf: [box],
  },
]

export const events: readonly PremisEvent[] = [
  {
    identifier: { type: 'UUID', value: '0198c2a4-7d4e-7c3b-9a10-2f6b5d8e1c01' },
    type: term('eventType', 'fixity check'),
    dateTime: '2026-03-02T06:00:00.000Z',
    detail: 'All bytes were read: 1 < 2 & "so"\nsecond line',
    outcome: { term: term('eventOutcome', 'warning'), note: 'unverified' },
    agents: [
      {
        identifier: program,
        roles: [term('eventRelatedAgentRole', 'executing program'), { value: 'second reader' }],
      },
    ],
    objects: [{ identifier: letter, roles: [term('eventRelatedObjectRole', 'source')] }],
    facts: { type: 'FixityDecided', stream: 'fixity-main/03.tif', revision: '4' },
  },
  {
    identifier: { type: 'own', value: 'two' },
    type: { value: 'content research' },
    dateTime: '2026-03',
    outcome: { term: { value: 'undecided' } },
    agents: [{ identifier: person }],
    objects: [{ identifier: box }],
  },
]

export const agents: readonly PremisAgent[] = [
  {
    identifier: program,
    name: 'Checker',
    type: term('agentType', 'software'),
    version: '2.1',
    note: 'it reads',
  },
  { identifier: person, type: term('agentType', 'person') },
]

/** A document as one text. */
export const written = (
  writers: {
    readonly object: (object: PremisObject) => string
    readonly event: (event: PremisEvent) => string
    readonly agent: (agent: PremisAgent) => string
  },
  start: string,
  end = '',
): string =>
  [
    start,
    ...objects.map(writers.object),
    ...events.map(writers.event),
    ...agents.map(writers.agent),
    end,
  ].join('')

export const collected = async <T>(items: AsyncIterable<T>): Promise<readonly T[]> => {
  const found: T[] = []
  for await (const item of items) found.push(item)
  return found
}
