import { childrenOf, textOf, UnreadableXml, type XmlElement } from '../xml.ts'
import { type DublinCore, type Term, terms } from './dublin-core.ts'

/*
 * Dublin Core in the forms that producers write: `<qualifieddc>`, `<oai_dc:dc>`, `<metadata>`, RDF, with or without
 * namespaces.
 */

const namespaces: ReadonlySet<string> = new Set([
  '',
  'http://purl.org/dc/elements/1.1/',
  'http://purl.org/dc/elements/1.0/',
  'http://purl.org/dc/terms/',
])

/** Qualified terms, with the term of the fifteen that they refine. */
const refinements: ReadonlyMap<string, Term> = new Map([
  ['alternative', 'title'],
  ['abstract', 'description'],
  ['tableofcontents', 'description'],
  ['created', 'date'],
  ['issued', 'date'],
  ['available', 'date'],
  ['valid', 'date'],
  ['modified', 'date'],
  ['extent', 'format'],
  ['medium', 'format'],
  ['spatial', 'coverage'],
  ['temporal', 'coverage'],
  ['ispartof', 'relation'],
  ['haspart', 'relation'],
  ['isversionof', 'relation'],
  ['isreferencedby', 'relation'],
  ['references', 'relation'],
  ['accessrights', 'rights'],
  ['license', 'rights'],
])

/** Reads the values of each term. Throws `UnreadableXml` if there are none. */
export const readDublinCore = (root: XmlElement): DublinCore => {
  const found = new Map<Term, Set<string>>()
  for (const child of childrenOf(root)) collect(child, found)
  if (found.size === 0) throw new UnreadableXml(`has no term of Dublin Core in its <${root.name}>`)
  return Object.fromEntries([...found].map(([term, values]) => [term, [...values]]))
}

/** Text of elements within a term is part of its value. */
const collect = (element: XmlElement, found: Map<Term, Set<string>>): void => {
  const term = termOf(element)
  if (!term) {
    for (const child of childrenOf(element)) collect(child, found)
    return
  }
  const value = textOf(element)
  if (value !== '') found.set(term, (found.get(term) ?? new Set()).add(value))
}

/** An element without a namespace must be a leaf: other schemas may use these names for containers. */
const termOf = (element: XmlElement): Term | undefined => {
  if (!namespaces.has(element.namespace)) return undefined
  if (element.namespace === '' && childrenOf(element).length > 0) return undefined
  const name = element.name.toLowerCase()
  return terms.find((term) => term === name) ?? refinements.get(name)
}
