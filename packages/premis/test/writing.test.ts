import {
  agentTurtle,
  agentXml,
  eventTurtle,
  eventXml,
  InvalidPremis,
  linkCheck,
  objectTurtle,
  objectXml,
  turtleStart,
  xmlEnd,
  xmlStart,
} from '@fonds/premis'
import { readPremis } from '@fonds/premis/read'
import { describe, expect, it } from 'vitest'
import { agents, box, collected, events, letter, objects, written } from './documents.ts'

const own = 'https://archive.example/premis#'
const xml = written({ object: objectXml, event: eventXml, agent: agentXml }, xmlStart(own), xmlEnd)

describe('XML', () => {
  it('events and agents are read again as they were written (Q117)', async () => {
    const read = await collected(readPremis([Buffer.from(xml)]))
    expect(read).toMatchObject([
      {
        kind: 'event',
        version: '3',
        identifier: events[0]?.identifier,
        type: 'fixity check',
        dateTime: '2026-03-02T06:00:00.000Z',
        detail: events[0]?.detail,
        outcomes: [{ outcome: 'warning', note: 'unverified' }],
        agents: [
          {
            identifier: { type: 'program', value: 'checker' },
            roles: ['executing program', 'second reader'],
          },
        ],
        // A character that XML cannot hold is spelled out.
        objects: [
          { identifier: { ...letter, value: letter.value.replace('\u0001', '\\u{1}') }, roles: ['source'] },
        ],
      },
      { kind: 'event', type: 'content research', dateTime: '2026-03', outcomes: [{ outcome: 'undecided' }] },
      { kind: 'agent', name: 'Checker', type: 'software', version: '2.1' },
      { kind: 'agent', type: 'person' },
    ])
  })

  it('no control character stands as it is: neither XML nor a terminal could bear it', () => {
    expect(xml.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u)
    expect(xml).toContain('&#x9b;')
  })

  it('a listed word has its address, another one says whose it is', () => {
    expect(xml).toContain(
      'authority="eventType" authorityURI="http://id.loc.gov/vocabulary/preservation/eventType" valueURI="http://id.loc.gov/vocabulary/preservation/eventType/fix">fixity check<',
    )
    expect(xml).toContain('<premis:eventType authority="implementation-defined">content research<')
  })

  it('one prefix and the version are on the root, on objects and on events (Q120)', () => {
    expect(xml).toContain('<premis:object xsi:type="premis:file" version="3.0">')
    expect(xml.match(/ version="3\.0"/g)).toHaveLength(1 + objects.length + events.length + agents.length)
  })

  it('facts are elements in an extension, never text beside them (Q119)', () => {
    expect(xml).toMatch(
      /<premis:eventDetailExtension>\s*<own:type>FixityDecided<\/own:type>\s*<own:stream>[^<]*<\/own:stream>\s*<own:revision>4<\/own:revision>\s*<\/premis:eventDetailExtension>/,
    )
  })
})

describe('RDF', () => {
  const turtle = written({ object: objectTurtle, event: eventTurtle, agent: agentTurtle }, turtleStart(own))

  it('an event is an instance of its type, with agents and objects by their roles', () => {
    expect(turtle).toContain('\n<urn:uuid:0198c2a4-7d4e-7c3b-9a10-2f6b5d8e1c01>\n')
    for (const part of [
      'a <http://id.loc.gov/vocabulary/preservation/eventType/fix> ;',
      'premis:outcome <http://id.loc.gov/vocabulary/preservation/eventOutcome/war> ;',
      '<http://id.loc.gov/vocabulary/preservation/eventRelatedAgentRole/exe> <agent/program/checker> ;',
      'prov:used <object/ark/ark%3A%2F99999%2Ffk4>',
    ])
      expect(turtle).toContain(part)
  })

  it('a moment is the end of the event, a month is a date; an outcome of no list is a note', () => {
    expect(turtle).toContain('prov:endedAtTime "2026-03-02T06:00:00.000Z"^^xsd:dateTime')
    expect(turtle).toContain('dct:date "2026-03"')
    expect(turtle).toContain('premis:outcomeNote "undecided"')
  })

  it('a base makes addresses absolute', () => {
    expect(turtleStart(own, 'https://archive.example/')).toContain('@base <https://archive.example/> .')
    expect(turtle).not.toContain('@base')
  })
})

describe('what the schema lets pass (Q118)', () => {
  const [event] = events
  if (!event) throw new Error('there is an event')
  it.each([
    ['a date that is none', { dateTime: 'yesterday' }, 'eventDateTime'],
    ['a day that is not in the calendar', { dateTime: '2026-02-30' }, 'eventDateTime'],
    ['no agent', { agents: [] }, 'has no agent'],
    ['no object', { objects: [] }, 'has no object'],
    [
      'an empty identifier',
      { identifier: { type: 'UUID', value: ' ' } },
      'eventIdentifier has an empty value',
    ],
    ['an empty type', { type: { value: '' } }, 'eventType'],
  ])('is refused: %s', (_, changed, says) => {
    for (const write of [eventXml, eventTurtle]) {
      expect(() => write({ ...event, ...changed })).toThrow(InvalidPremis)
      expect(() => write({ ...event, ...changed })).toThrow(says)
    }
  })

  it('is refused: an entity with the size of a file, a digest that is empty', () => {
    expect(() => objectXml({ category: 'intellectualEntity', identifiers: [box], size: 4 })).toThrow(
      'has size',
    )
    expect(() =>
      objectXml({
        category: 'file',
        identifiers: [box],
        fixity: [{ algorithm: { value: 'md5' }, digest: '' }],
      }),
    ).toThrow('messageDigest')
    expect(() => agentXml({ identifier: { type: '', value: 'x' } })).toThrow('agentIdentifier')
  })

  it('identifiers that are there twice, and links that lead nowhere, are found in a whole document', () => {
    const check = linkCheck()
    for (const one of objects) check.object(one)
    for (const one of events) check.event(one)
    for (const one of agents) check.agent(one)
    expect(check.problems()).toEqual([])
    for (const one of events)
      check.event({ ...one, agents: [{ identifier: { type: 'person', value: 'x' } }] })
    expect(check.problems()).toEqual([
      'event 0198c2a4-7d4e-7c3b-9a10-2f6b5d8e1c01 is there twice',
      'event two is there twice',
      '0198c2a4-7d4e-7c3b-9a10-2f6b5d8e1c01 names the agent x, which is not there',
      'two names the agent x, which is not there',
    ])
  })
})
