import { agentXml, eventXml, objectXml, term, xmlEnd, xmlStart } from '@fonds/premis'
import { readPremis } from '@fonds/premis/read'

const letter = { type: 'path', value: 'letters/1912/03.tif' }
const checker = { type: 'program', value: 'checker' }

const document = [
  xmlStart('https://archive.example/premis'),
  objectXml({
    category: 'file',
    identifiers: [letter],
    size: 10,
    fixity: [
      { algorithm: term('cryptographicHashFunctions', 'MD5'), digest: '8ba1d16a2c0fc0d2bc2ec0ea8fa5cbc7' },
    ],
  }),
  eventXml({
    identifier: { type: 'UUID', value: '0198c2a4-7d4e-7c3b-9a10-2f6b5d8e1c01' },
    type: term('eventType', 'fixity check'),
    dateTime: '2026-03-02T06:00:00Z',
    outcome: { term: term('eventOutcome', 'success') },
    agents: [{ identifier: checker, roles: [term('eventRelatedAgentRole', 'executing program')] }],
    objects: [{ identifier: letter }],
  }),
  agentXml({ identifier: checker, name: 'Checker', type: term('agentType', 'software'), version: '2.1' }),
  xmlEnd,
]

for await (const found of readPremis(document.map((part) => Buffer.from(part))))
  if (found.kind === 'event') console.log(found.line, found.type, found.dateTime, found.outcomes[0]?.outcome)
