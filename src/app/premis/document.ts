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
import type { PremisItem } from './export.ts'

/** `xml`: PREMIS 3.0. `rdf`: terms of the PREMIS 3 ontology, in Turtle. */
export type PremisFormat = 'xml' | 'rdf'

export const contentTypes: Readonly<Record<PremisFormat, string>> = {
  xml: 'application/xml; charset=utf-8',
  rdf: 'text/turtle; charset=utf-8',
}

/** Namespace of our own facts: type, stream and revision of an event. It is a name, and leads nowhere. */
const facts = 'urn:x-fonds:event#'

/** Texts are handed on when they are so long. */
const chunkLength = 65_536

/** Yields the document in pieces. `base`: an absolute IRI for the addresses of RDF, which are relative otherwise. */
export async function* premisDocument(
  items: AsyncIterable<PremisItem>,
  format: PremisFormat,
  base?: string,
): AsyncGenerator<string> {
  let text = format === 'xml' ? xmlStart(facts) : turtleStart(facts, base)
  for await (const item of items) {
    text += format === 'xml' ? xmlOf(item) : turtleOf(item)
    if (text.length < chunkLength) continue
    yield text
    text = ''
  }
  yield format === 'xml' ? text + xmlEnd : text
}

const xmlOf = (item: PremisItem): string => {
  switch (item.kind) {
    case 'object':
      return objectXml(item.object)
    case 'event':
      return eventXml(item.event)
    case 'agent':
      return agentXml(item.agent)
  }
}

const turtleOf = (item: PremisItem): string => {
  switch (item.kind) {
    case 'object':
      return objectTurtle(item.object)
    case 'event':
      return eventTurtle(item.event)
    case 'agent':
      return agentTurtle(item.agent)
  }
}
