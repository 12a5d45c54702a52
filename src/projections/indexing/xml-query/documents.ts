import type { CaptureLine } from '@fonds/cdx'
import type { XmlQuery } from './parse-query.ts'
import type { UrlSummary } from './url-summaries.ts'
import { xmlElement } from './xml-text.ts'

/* The documents that OpenWayback reads, element by element. Two of its element names do not mean what they seem to. */

export const documentStart = '<?xml version="1.0" encoding="UTF-8"?>\n<wayback>'
export const documentEnd = '</wayback>\n'

/** The element in place of results. OpenWayback knows these titles, and reads them in an answer 200 alone. */
export const errorElement = (
  title: 'Resource Not In Archive' | 'Bad Query Exception',
  message: string,
): string => xmlElement('error', { title, message })

/** The document that reports an error in a query. */
export const refusedQuery = (message: string): string =>
  `${documentStart}${errorElement('Bad Query Exception', message)}${documentEnd}`

export const captureElement = (line: CaptureLine, isClosest = false): string => {
  const length = line.field('length')
  return xmlElement('result', {
    compressedoffset: line.field('offset'),
    // It is the length.
    compressedendoffset: length === '-' ? undefined : length,
    mimetype: line.field('mime'),
    file: line.field('file'),
    redirecturl: line.field('redirect'),
    urlkey: line.key,
    digest: line.field('digest'),
    httpresponsecode: line.field('status'),
    robotflags: line.field('flags'),
    url: line.field('url'),
    capturedate: line.time,
    closest: isClosest ? 'true' : undefined,
  })
}

export const urlElement = ({ key, url, versions, captures, first, last }: UrlSummary): string =>
  xmlElement('result', {
    urlkey: key,
    originalurl: url,
    numversions: versions,
    numcaptures: captures,
    firstcapturets: first,
    lastcapturets: last,
  })

/** Note that the answer is incomplete, since no more lines were read: OpenWayback has no element for it. */
export const incomplete = (scanned: number): string =>
  `<!-- incomplete: ${scanned} lines of the index were looked at, and there are more -->`

export const requestElement = (
  { type, count, startPage, startDate, endDate }: XmlQuery,
  found: {
    readonly key: string
    readonly returned: number
    readonly results: number
    readonly now: string
  },
): string =>
  xmlElement('request', {
    startdate: startDate ?? '19960101000000',
    enddate: endDate ?? found.now,
    type,
    firstreturned: (startPage - 1) * count,
    // It is the key.
    url: found.key,
    resultsrequested: count,
    resultstype: type === 'urlquery' ? 'resultstypecapture' : 'resultstypeurl',
    numreturned: found.returned,
    numresults: found.results,
  })
