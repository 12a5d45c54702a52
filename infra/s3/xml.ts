import { SaxesParser } from 'saxes'

/* Documents that servers of S3 answer with: shallow, without attributes that matter, at most some megabytes. */

export interface XmlElement {
  readonly name: string
  readonly children: readonly XmlElement[]
  /** Its own text, as it stands; that of its children is theirs. */
  readonly text: string
}

/** The text is not well-formed, has a document type, or is nested too deep. */
export class InvalidXml extends Error {
  override readonly name = 'InvalidXml'
}

const maxDepth = 20

/** Returns the root of the document. Throws `InvalidXml`. */
export const parseXml = (document: string): XmlElement => {
  interface Open {
    readonly name: string
    readonly children: Open[]
    text: string
  }
  const parser = new SaxesParser()
  const top: Open = { name: '', children: [], text: '' }
  const open: Open[] = [top]
  let current = top
  parser.on('doctype', () => {
    throw new InvalidXml('has a document type')
  })
  parser.on('opentag', ({ name }) => {
    if (open.length > maxDepth) throw new InvalidXml(`has elements more than ${maxDepth} deep`)
    const element: Open = { name: name.slice(name.indexOf(':') + 1), children: [], text: '' }
    current.children.push(element)
    open.push(element)
    current = element
  })
  parser.on('closetag', () => {
    open.pop()
    current = open.at(-1) ?? top
  })
  const addText = (text: string) => {
    current.text += text
  }
  parser.on('text', addText)
  parser.on('cdata', addText)
  try {
    parser.write(document).close()
  } catch (error) {
    if (error instanceof InvalidXml) throw error
    throw new InvalidXml((error as Error).message, { cause: error })
  }
  const [root] = top.children
  if (!root) throw new InvalidXml('has no element')
  return root
}

export const childrenOf = (element: XmlElement, name: string): readonly XmlElement[] =>
  element.children.filter((child) => child.name === name)

/** Undefined where there is no such child. */
export const childText = (element: XmlElement, name: string): string | undefined =>
  element.children.find((child) => child.name === name)?.text

/** Text of an element, with the five characters that have a meaning in XML, and CR, as references. */
export const escapeXml = (text: string): string =>
  text.replaceAll(/[&<>"'\r]/g, (character) => `&#${character.charCodeAt(0)};`)
