import { childrenOf, textOf, UnreadableXml, type XmlElement } from '../xml.ts'
import { isKnown, type Kernel, kernelOf } from './kernel.ts'

/**
 * Reads who, what and when from a DataCite record of any kernel version. Throws `UnreadableXml` if it has none of them.
 */
export const readDataCite = (root: XmlElement): Kernel => {
  if (root.name !== 'resource')
    throw new UnreadableXml(`is no DataCite: it is a <${root.name}>, no <resource>`)
  const kernel = kernelOf({
    who: within(root, 'creators', 'creator', 'creatorName').map(textOf),
    what: mainTitle(within(root, 'titles', 'title')),
    when: within(root, 'publicationYear').map(textOf),
  })
  if (Object.keys(kernel).length === 0)
    throw new UnreadableXml('has neither a creator nor a title nor a year of publication')
  return kernel
}

const within = (element: XmlElement, ...path: readonly string[]): readonly XmlElement[] =>
  path.reduce<readonly XmlElement[]>(
    (found, name) => found.flatMap((one) => childrenOf(one).filter((child) => child.name === name)),
    [element],
  )

/** Titles with a type are subtitles, translations and alternatives. */
const mainTitle = (titles: readonly XmlElement[]): readonly string[] => {
  const known = titles.filter((title) => isKnown(textOf(title)))
  const main = known.filter(({ attributes }) => attributes.titleType === undefined)
  return [...main, ...known].slice(0, 1).map(textOf)
}
