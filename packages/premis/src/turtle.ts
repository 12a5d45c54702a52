import { agentProblem, eventProblem, InvalidPremis, objectProblem } from './check.ts'
import { isMoment } from './date.ts'
import type { Identifier, Link, PremisAgent, PremisEvent, PremisObject } from './model.ts'
import { allLists, listUri, type Term, termUri } from './vocabulary.ts'

/*
 * PREMIS 3 as RDF: terms of the PREMIS 3 ontology 3.0.0 (http://www.loc.gov/premis/rdf/v3/) and of PROV-O, used as the Editorial
 * Committee's "Guidelines for using the PREMIS Version 3 OWL Ontology" (2022) say; in Turtle. Events are `urn:uuid:` where their
 * identifiers are UUIDs. All else has a relative IRI: the base is that of the document, or `base`.
 */

const prefixes = {
  premis: 'http://www.loc.gov/premis/rdf/v3/',
  prov: 'http://www.w3.org/ns/prov#',
  dct: 'http://purl.org/dc/terms/',
  dce: 'http://purl.org/dc/elements/1.1/',
  rdf: 'http://www.w3.org/1999/02/22-rdf-syntax-ns#',
  rdfs: 'http://www.w3.org/2000/01/rdf-schema#',
  foaf: 'http://xmlns.com/foaf/0.1/',
  xsd: 'http://www.w3.org/2001/XMLSchema#',
}

/** `facts`: namespace of the facts of events, each a property. `base`: an absolute IRI that ends in a slash. */
export const turtleStart = (facts: string, base?: string): string =>
  [
    ...(base === undefined ? [] : [`@base <${base}> .`]),
    ...Object.entries(prefixes).map(([name, iri]) => `@prefix ${name}: <${iri}> .`),
    ...allLists.map((list) => `@prefix ${list}: <${listUri(list)}/> .`),
    `@prefix own: <${facts}> .`,
    '',
  ].join('\n')

/** Throws `InvalidPremis`. */
export const objectTurtle = (object: PremisObject): string => {
  refuse(objectProblem(object))
  const { category, identifiers, originalName, fixity = [], size, format, location, partOf = [] } = object
  const subject = objectIri(identifiers[0])
  return statement(subject, [
    ['a', category === 'file' ? 'premis:File' : 'premis:IntellectualEntity'],
    ...identifiers.map(({ value }) => pair('dct:identifier', value)),
    ...optional('premis:originalName', originalName),
    ...(size === undefined ? [] : [['premis:size', `${size}`] as const]),
    ...fixity.map(
      ({ algorithm, digest, originator }) =>
        [
          'premis:fixity',
          blank([
            ['a', classOf(algorithm, 'premis:Fixity')],
            ...(algorithm.listed ? [] : [pair('rdfs:label', algorithm.value)]),
            pair('rdf:value', digest),
            ...optional('dce:creator', originator),
          ]),
        ] as const,
    ),
    ...(format
      ? [
          [
            'dct:format',
            blank([
              ['a', 'dct:FileFormat'],
              pair('rdfs:label', format.name),
              ...optional('premis:version', format.version),
              ...optional(
                'dct:identifier',
                format.registry && `${format.registry.name}: ${format.registry.key}`,
              ),
              ...optional('premis:note', format.note),
            ]),
          ] as const,
        ]
      : []),
    ...(location === undefined
      ? []
      : [
          [
            'premis:storedAt',
            blank([['a', 'premis:StorageLocation'], pair('rdf:value', location.value)]),
          ] as const,
        ]),
    ...partOf.map((whole) => ['relationshipSubType:isp', objectIri(whole)] as const),
  ])
}

/** Throws `InvalidPremis`. */
export const eventTurtle = (event: PremisEvent): string => {
  refuse(eventProblem(event))
  const { identifier, type, dateTime, detail, outcome, agents, objects, facts = {} } = event
  return statement(eventIri(identifier), [
    ['a', classOf(type, 'premis:Event')],
    ...(type.listed ? [] : [pair('rdfs:label', type.value)]),
    pair('dct:identifier', identifier.value),
    isMoment(dateTime)
      ? ['prov:endedAtTime', `${literal(dateTime)}^^xsd:dateTime`]
      : pair('dct:date', dateTime),
    ...optional('premis:note', detail),
    ...(outcome?.term.listed ? [['premis:outcome', `<${termUri(outcome.term)}>`] as const] : []),
    ...optional('premis:outcomeNote', outcomeNote(outcome)),
    ...agents.flatMap((one) => linkPairs(one, 'prov:wasAssociatedWith', agentIri)),
    ...objects.flatMap((one) => linkPairs(one, 'prov:used', objectIri)),
    ...Object.entries(facts).map(([name, value]) => pair(`own:${name}`, value)),
  ])
}

/** Throws `InvalidPremis`. */
export const agentTurtle = (agent: PremisAgent): string => {
  refuse(agentProblem(agent))
  const { identifier, name, type, version, note } = agent
  const isProgram = type?.value === 'software'
  return statement(agentIri(identifier), [
    ['a', agentClasses[type?.value ?? ''] ?? 'premis:Agent'],
    pair('dct:identifier', identifier.value),
    ...optional(isProgram ? 'rdfs:label' : 'foaf:name', name),
    ...optional('premis:version', version),
    ...optional('premis:note', note),
  ])
}

const agentClasses: Readonly<Record<string, string>> = {
  software: 'premis:SoftwareAgent',
  person: 'premis:Person',
  organization: 'premis:Organization',
}

/** An outcome of one's own is no individual of the list: its word goes to the note. */
const outcomeNote = (outcome: PremisEvent['outcome']): string | undefined =>
  outcome === undefined || outcome.term.listed
    ? outcome?.note
    : [outcome.term.value, outcome.note].filter((text) => text !== undefined).join(': ')

const refuse = (problem: string | undefined): void => {
  if (problem !== undefined) throw new InvalidPremis(problem)
}

type Pair = readonly [property: string, value: string]

const pair = (property: string, text: string): Pair => [property, literal(text)]
const optional = (property: string, text: string | undefined): readonly Pair[] =>
  text === undefined ? [] : [pair(property, text)]

const statement = (subject: string, pairs: readonly Pair[]): string =>
  `\n${subject}\n${pairs.map(([property, value]) => `  ${property} ${value}`).join(' ;\n')} .\n`
const blank = (pairs: readonly Pair[]): string =>
  `[ ${pairs.map(([property, value]) => `${property} ${value}`).join(' ; ')} ]`

/** A class or individual of the list; else the general one. */
const classOf = (word: Term, general: string): string => {
  const iri = termUri(word)
  return iri === undefined ? general : `<${iri}>`
}
/** A property for each role that a list has; else the general one. */
const linkPairs = (
  { identifier, roles = [] }: Link,
  general: string,
  iriOf: (identifier: Identifier) => string,
): readonly Pair[] => {
  const listed = roles.flatMap((role) => termUri(role) ?? [])
  const properties = listed.length > 0 ? listed.map((iri) => `<${iri}>`) : [general]
  return properties.map((property) => [property, iriOf(identifier)] as const)
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const eventIri = ({ type, value }: Identifier): string =>
  uuid.test(value) ? `<urn:uuid:${value.toLowerCase()}>` : relative('event', type, value)
const objectIri = ({ type, value }: Identifier): string => relative('object', type, value)
const agentIri = ({ type, value }: Identifier): string => relative('agent', type, value)
const relative = (...parts: readonly string[]): string =>
  `<${parts.map((part) => encodeURIComponent(part.toWellFormed())).join('/')}>`

const escapes: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
}

const literal = (text: string): string =>
  `"${text
    .toWellFormed()
    .replace(/["\\\p{Cc}]/gu, (c) => escapes[c] ?? `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`)}"`
