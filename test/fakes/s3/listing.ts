import type { Bucket } from './bucket.ts'
import { algorithms } from './checksums.ts'
import { compareKeys, type ListedName } from './names.ts'
import { Refusal } from './refusal.ts'
import type { Answer, S3Request } from './request.ts'
import { document, type Element } from './xml.ts'

/** ListObjectsV2: names and common prefixes share the number of one page, in the order of their UTF-8 bytes. */
export const listObjects = (bucket: Bucket, { query }: S3Request): Answer => {
  const prefix = query.get('prefix') ?? ''
  const delimiter = query.get('delimiter') ?? ''
  const maxKeys = maxOf(query.get('max-keys'), 'max-keys')
  const token = query.get('continuation-token')
  const after = token === null ? afterKey(query.get('start-after') ?? '') : afterToken(token)
  const { entries, next } = page(bucket, { prefix, delimiter, maxKeys, after })
  const encoded = encoderOf(query.get('encoding-type'))
  const elements: Element[] = [
    ['Name', bucket.name],
    ['Prefix', encoded(prefix)],
    ['Delimiter', delimiter === '' ? undefined : encoded(delimiter)],
    ['MaxKeys', maxKeys],
    ['KeyCount', entries.length],
    ['EncodingType', query.get('encoding-type') ?? undefined],
    ['ContinuationToken', token ?? undefined],
    ['StartAfter', query.has('start-after') ? encoded(query.get('start-after') ?? '') : undefined],
    ['IsTruncated', next !== undefined],
    ['NextContinuationToken', next],
  ]
  for (const entry of entries)
    if (typeof entry === 'string') elements.push(['CommonPrefixes', [['Prefix', encoded(entry)]]])
    else elements.push(['Contents', contents(entry, encoded)])
  return { status: 200, body: document('ListBucketResult', elements) }
}

interface After {
  readonly key: string
  /** The names beneath it are over as well. */
  readonly isPrefix: boolean
}

interface Asked {
  readonly prefix: string
  readonly delimiter: string
  readonly maxKeys: number
  readonly after: After
}

type Entry = ListedName | string

const page = (
  bucket: Bucket,
  asked: Asked,
): { readonly entries: readonly Entry[]; readonly next?: string } => {
  const entries: Entry[] = []
  if (asked.maxKeys === 0) return { entries }
  let last: After | undefined
  for (const entry of entriesFrom(bucket, asked)) {
    if (entries.length === asked.maxKeys) return { entries, next: tokenOf(last!) }
    entries.push(entry)
    last = typeof entry === 'string' ? { key: entry, isPrefix: true } : { key: entry.key, isPrefix: false }
  }
  return { entries }
}

/** Behind every name that begins so. */
const lastBeneath = (prefix: string): string => `${prefix}\u{10FFFF}`

function* entriesFrom(bucket: Bucket, { prefix, delimiter, after }: Asked): Iterable<Entry> {
  let from = after.isPrefix ? lastBeneath(after.key) : after.key
  if (compareKeys(from, prefix) < 0) from = prefix
  for (let isOver = false; !isOver; ) {
    isOver = true
    for (const name of bucket.from(from)) {
      if (!after.isPrefix && name.key === after.key) continue
      if (!name.key.startsWith(prefix)) {
        if (compareKeys(name.key, prefix) > 0) return
        continue
      }
      const end = delimiter === '' ? -1 : name.key.indexOf(delimiter, prefix.length)
      if (end < 0) yield name
      else {
        const common = name.key.slice(0, end + delimiter.length)
        yield common
        from = lastBeneath(common)
        isOver = false
        break
      }
    }
  }
}

const afterKey = (key: string): After => ({ key, isPrefix: false })
const tokenOf = (after: After): string => Buffer.from(JSON.stringify(after)).toString('base64url')

const afterToken = (token: string): After => {
  try {
    return JSON.parse(Buffer.from(token, 'base64url').toString())
  } catch {
    throw new Refusal(400, 'InvalidArgument', 'The continuation token provided is incorrect')
  }
}

export const maxOf = (given: string | null, name: string): number => {
  const max = Number(given ?? 1000)
  if (!Number.isInteger(max) || max < 0) throw new Refusal(400, 'InvalidArgument', `${name} is not a number`)
  return Math.min(max, 1000)
}

/** As AWS encodes: a blank is `+`, and the slash stays. */
export const encoderOf = (type: string | null): ((text: string) => string) => {
  if (type === null) return (text) => text
  if (type !== 'url')
    throw new Refusal(400, 'InvalidArgument', 'Invalid Encoding Method specified in Request')
  return (text) => encodeURIComponent(text).replaceAll('%20', '+').replaceAll('%2F', '/')
}

const contents = (name: ListedName, encoded: (text: string) => string): readonly Element[] => [
  ['Key', encoded(name.key)],
  ['LastModified', (name.modifiedAt ?? new Date(0)).toISOString()],
  ['ETag', `"${name.etag ?? '0'.repeat(32)}"`],
  ...algorithms
    .filter((algorithm) => name.checksums?.[algorithm] !== undefined)
    .map((algorithm): Element => ['ChecksumAlgorithm', algorithm]),
  ['ChecksumType', name.checksumType],
  ['Size', name.size],
  ['StorageClass', name.storageClass ?? 'STANDARD'],
]
