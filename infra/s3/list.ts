import { invalidAnswer } from './errors.ts'
import { compareKeys } from './key-order.ts'
import { type ListedObject, unquote } from './objects.ts'
import { createPages, maxEmptyPages, type Page } from './pages.ts'
import type { Send } from './sender.ts'
import { childrenOf, childText, type XmlElement } from './xml.ts'

export interface ListOptions {
  readonly prefix?: string | undefined
  /** Keys that have it behind the prefix are given as one common prefix. */
  readonly delimiter?: string | undefined
  /** Lists only keys behind this one. */
  readonly startAfter?: string | undefined
  readonly signal?: AbortSignal | undefined
}

export interface ListPage {
  readonly objects: readonly ListedObject[]
  /** Common prefixes, which end in the delimiter. */
  readonly prefixes: readonly string[]
}

/**
 * Lists keys in byte order of their UTF-8, a page of at most 1,000 at a time: memory holds one page. Throws `S3Error`,
 * also where the order breaks or a page comes again: a listing with gaps would report content as missing.
 */
export async function* listObjects(send: Send, options: ListOptions = {}): AsyncGenerator<ListPage> {
  const { prefix, delimiter, startAfter, signal } = options
  const query = {
    'list-type': '2',
    ...(delimiter && { delimiter }),
    ...(prefix && { prefix }),
    ...(startAfter !== undefined && { 'start-after': startAfter }),
  }
  const askPage = createPages(send, 'ListBucketResult', signal)
  let lastKey = startAfter
  let lastPrefix: string | undefined
  let token: string | undefined
  for (let empty = 0; ; ) {
    const page = await askPage(token === undefined ? query : { ...query, 'continuation-token': token })
    const objects = childrenOf(page.root, 'Contents').map((element) => objectOf(element, page))
    const prefixes = childrenOf(page.root, 'CommonPrefixes').map((found) => page.name(found, 'Prefix'))
    lastKey = checkOrder(
      objects.map(({ key }) => key),
      lastKey,
      page,
    )
    lastPrefix = checkOrder(prefixes, lastPrefix, page)
    yield { objects, prefixes }

    const next = nextToken(page)
    if (next === undefined) return
    empty = objects.length + prefixes.length === 0 ? empty + 1 : 0
    if (next === token || empty > maxEmptyPages)
      throw invalidAnswer(page.address, 'the listing comes to no end: it gives the same page again')
    token = next
  }
}

const objectOf = (element: XmlElement, page: Page): ListedObject => {
  const storageClass = childText(element, 'StorageClass')
  return {
    key: page.name(element, 'Key'),
    size: page.number(element, 'Size'),
    etag: unquote(childText(element, 'ETag') ?? ''),
    modifiedAt: page.time(element, 'LastModified'),
    ...(storageClass && storageClass !== 'STANDARD' && { storageClass }),
  }
}

/** Returns the last of the names. Throws where one is not behind the one before. */
const checkOrder = (names: readonly string[], before: string | undefined, page: Page): string | undefined => {
  let last = before
  for (const name of names) {
    if (last !== undefined && compareKeys(last, name) >= 0)
      throw invalidAnswer(
        page.address,
        `the listing is not in byte order: ${JSON.stringify(name)} comes after ${JSON.stringify(last)}`,
      )
    last = name
  }
  return last
}

const nextToken = ({ root, address }: Page): string | undefined => {
  if (childText(root, 'IsTruncated') !== 'true') return undefined
  const token = childText(root, 'NextContinuationToken')
  if (!token) throw invalidAnswer(address, 'the listing goes on, but has no NextContinuationToken')
  return token
}
