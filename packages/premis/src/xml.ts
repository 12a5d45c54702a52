import { agentProblem, eventProblem, InvalidPremis, objectProblem } from './check.ts'
import type { Fixity, Format, Identifier, PremisAgent, PremisEvent, PremisObject } from './model.ts'
import { listUri, type Term, term, termUri } from './vocabulary.ts'
import { attributes, xmlText } from './xml-text.ts'

/*
 * PREMIS 3.0 as XML, an element at a time. In a document objects come first, at least one; then events, then agents. Within an
 * event the schema's order is: identifier, type, time, detail, outcome, agents, objects.
 */

export const premisNamespace = 'http://www.loc.gov/premis/v3'

/** Marks a term that no list of the Library has. */
const own = 'implementation-defined'

/** `facts`: namespace of the facts of events, which are elements of an extension. */
export const xmlStart = (facts: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<premis:premis xmlns:premis="${premisNamespace}"${attributes({
    'xmlns:xsi': 'http://www.w3.org/2001/XMLSchema-instance',
    'xmlns:own': facts,
  })} version="3.0">\n`
export const xmlEnd = '</premis:premis>\n'

/** Throws `InvalidPremis`. */
export const objectXml = (object: PremisObject): string => {
  refuse(objectProblem(object))
  const { category, identifiers, originalName, location, partOf = [] } = object
  return whole('object', { 'xsi:type': `premis:${category}`, version: '3.0' }, [
    ...identifiers.map((one) => identified('objectIdentifier', one)),
    ...(category === 'file' ? [characteristics(object)] : []),
    ...optional('originalName', originalName),
    ...(location === undefined ? [] : [storage(location)]),
    ...partOf.map(isPartOf),
  ])
}

/** Throws `InvalidPremis`. */
export const eventXml = (event: PremisEvent): string => {
  refuse(eventProblem(event))
  const { identifier, type, dateTime, detail, outcome, agents, objects, facts = {} } = event
  return whole('event', { version: '3.0' }, [
    identified('eventIdentifier', identifier),
    listed('eventType', type),
    element('eventDateTime', dateTime),
    ...(detail === undefined && Object.keys(facts).length === 0
      ? []
      : [nested('eventDetailInformation', [...optional('eventDetail', detail), ...extension(facts)])]),
    ...(outcome
      ? [
          nested('eventOutcomeInformation', [
            listed('eventOutcome', outcome.term),
            ...(outcome.note === undefined
              ? []
              : [nested('eventOutcomeDetail', [element('eventOutcomeDetailNote', outcome.note)])]),
          ]),
        ]
      : []),
    ...agents.map((one) => identified('linkingAgentIdentifier', one.identifier, one.roles)),
    ...objects.map((one) => identified('linkingObjectIdentifier', one.identifier, one.roles)),
  ])
}

/** Throws `InvalidPremis`. */
export const agentXml = (agent: PremisAgent): string => {
  refuse(agentProblem(agent))
  const { identifier, name, type, version, note } = agent
  return whole('agent', { version: '3.0' }, [
    identified('agentIdentifier', identifier),
    ...optional('agentName', name),
    ...(type ? [listed('agentType', type)] : []),
    ...optional('agentVersion', version),
    ...optional('agentNote', note),
  ])
}

const refuse = (problem: string | undefined): void => {
  if (problem !== undefined) throw new InvalidPremis(problem)
}

type Lines = readonly string[]

const whole = (name: string, values: Readonly<Record<string, string>>, content: readonly Lines[]): string =>
  `  <premis:${name}${attributes(values)}>\n${content
    .flat()
    .map((line) => `    ${line}\n`)
    .join('')}  </premis:${name}>\n`

const nested = (name: string, content: readonly Lines[]): Lines => [
  `<premis:${name}>`,
  ...content.flat().map((line) => `  ${line}`),
  `</premis:${name}>`,
]

const element = (
  name: string,
  text: string,
  values: Readonly<Record<string, string | undefined>> = {},
): Lines => [`<premis:${name}${attributes(values)}>${xmlText(text)}</premis:${name}>`]

const optional = (name: string, text: string | undefined): readonly Lines[] =>
  text === undefined ? [] : [element(name, text)]

const listed = (name: string, word: Term): Lines =>
  element(
    name,
    word.value,
    word.listed
      ? {
          authority: word.listed.list,
          authorityURI: listUri(word.listed.list),
          valueURI: termUri(word),
        }
      : { authority: own },
  )

const identified = (name: string, { type, value }: Identifier, roles: readonly Term[] = []): Lines =>
  nested(name, [
    element(`${name}Type`, type),
    element(`${name}Value`, value),
    ...roles.map((role) => listed(name.replace('Identifier', 'Role'), role)),
  ])

const characteristics = ({ fixity = [], size, format }: PremisObject): Lines =>
  nested('objectCharacteristics', [
    ...fixity.map(fixityLines),
    ...optional('size', size?.toString()),
    formatLines(format ?? { name: 'unknown', note: 'The format was not identified.' }),
  ])

const fixityLines = ({ algorithm, digest, originator }: Fixity): Lines =>
  nested('fixity', [
    listed('messageDigestAlgorithm', algorithm),
    element('messageDigest', digest),
    ...optional('messageDigestOriginator', originator),
  ])

const formatLines = ({ name, version, registry, note }: Format): Lines =>
  nested('format', [
    nested('formatDesignation', [element('formatName', name), ...optional('formatVersion', version)]),
    ...(registry
      ? [
          nested('formatRegistry', [
            element('formatRegistryName', registry.name),
            element('formatRegistryKey', registry.key),
          ]),
        ]
      : []),
    ...optional('formatNote', note),
  ])

const storage = ({ type, value }: Identifier): Lines =>
  nested('storage', [
    nested('contentLocation', [element('contentLocationType', type), element('contentLocationValue', value)]),
  ])

const isPartOf = (identifier: Identifier): Lines =>
  nested('relationship', [
    listed('relationshipType', term('relationshipType', 'structural')),
    listed('relationshipSubType', term('relationshipSubType', 'is part of')),
    identified('relatedObjectIdentifier', identifier),
  ])

const extension = (facts: Readonly<Record<string, string>>): readonly Lines[] =>
  Object.keys(facts).length === 0
    ? []
    : [
        nested('eventDetailExtension', [
          Object.entries(facts).map(([name, value]) => `<own:${name}>${xmlText(value)}</own:${name}>`),
        ]),
      ]
