import {
  agentTurtle,
  agentXml,
  eventTurtle,
  eventXml,
  objectTurtle,
  objectXml,
  turtleStart,
  xmlEnd,
  xmlStart,
} from '@fonds/premis'
import { describe, expect, it } from 'vitest'
import { written } from '../../../packages/premis/test/documents.ts'
import { complaintsOfSchema, lacksRapper, lacksXmllint, triplesOf } from './premis-judges.ts'

const own = 'https://archive.example/premis#'
const xml = written({ object: objectXml, event: eventXml, agent: agentXml }, xmlStart(own), xmlEnd)
const turtle = written({ object: objectTurtle, event: eventTurtle, agent: agentTurtle }, turtleStart(own))

describe.skipIf(lacksXmllint)('by the schema of PREMIS 3.0', () => {
  it('a document with every element that is written is valid', () => {
    expect(complaintsOfSchema(xml)).toBe('')
  })

  it.each([
    [
      'events without an object (Q117)',
      (text: string) => text.replace(/ {2}<premis:object [\s\S]*<\/premis:object>\n/, ''),
    ],
    ['text in an extension (Q119)', (text: string) => text.replace('<own:type>', 'text<own:type>')],
    ['a type without prefix (Q120)', (text: string) => text.replace('premis:file"', 'file"')],
    ['another version (Q120)', (text: string) => text.replace('version="3.0"', 'version="3"')],
  ])('the judge refuses %s', (_, spoil) => {
    expect(complaintsOfSchema(spoil(xml))).not.toBe('')
  })

  it('the judge lets a date pass that is none (Q118)', () => {
    expect(complaintsOfSchema(xml.replace('2026-03-02T06:00:00.000Z', 'yesterday'))).toBe('')
  })
})

describe.skipIf(lacksRapper)('by a parser of RDF', () => {
  it('the same document is Turtle, with these triples', () => {
    const triples = triplesOf(turtle)
    expect(triples).toContain(
      '<urn:uuid:0198c2a4-7d4e-7c3b-9a10-2f6b5d8e1c01> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <http://id.loc.gov/vocabulary/preservation/eventType/fix> .',
    )
    expect(triples).toContain(
      '<https://archive.example/agent/person/person%231> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <http://www.loc.gov/premis/rdf/v3/Person> .',
    )
  })

  it('the judge refuses a literal that does not end', () => {
    expect(() => triplesOf(`${turtle}<a> <b> "c .`)).toThrow()
  })
})
