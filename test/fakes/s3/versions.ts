import type { Bucket } from './bucket.ts'
import { encoderOf, maxOf } from './listing.ts'
import { compareKeys } from './names.ts'
import { notImplemented } from './refusal.ts'
import type { Answer, S3Request } from './request.ts'
import { document, type Element } from './xml.ts'

/** ListObjectVersions: versions and delete markers by key, the newest of each first. */
export const listVersions = (bucket: Bucket, { query }: S3Request): Answer => {
  if (query.has('delimiter')) throw notImplemented('A delimiter for versions')
  const prefix = query.get('prefix') ?? ''
  const encoded = encoderOf(query.get('encoding-type'))
  const max = maxOf(query.get('max-keys'), 'max-keys')
  const all = bucket.keys
    .filter((key) => key.startsWith(prefix))
    .toSorted(compareKeys)
    .flatMap((key) => bucket.versions(key).map((version, at) => ({ ...version, isLatest: at === 0 })))
  const begin = beginOf(all, query.get('key-marker'), query.get('version-id-marker'))
  const shown = all.slice(begin, begin + max)
  const last = all.length > begin + max ? shown.at(-1) : undefined
  return {
    status: 200,
    body: document('ListVersionsResult', [
      ['Name', bucket.name],
      ['Prefix', encoded(prefix)],
      ['MaxKeys', max],
      ['EncodingType', query.get('encoding-type') ?? undefined],
      ['IsTruncated', last !== undefined],
      ['NextKeyMarker', last === undefined ? undefined : encoded(last.key)],
      ['NextVersionIdMarker', last?.versionId],
      ...shown.map((version): Element => {
        const common: readonly Element[] = [
          ['Key', encoded(version.key)],
          ['VersionId', version.versionId],
          ['IsLatest', version.isLatest],
          ['LastModified', version.modifiedAt.toISOString()],
        ]
        if (version.isDeleteMarker) return ['DeleteMarker', common]
        return [
          'Version',
          [
            ...common,
            ['ETag', `"${version.etag}"`],
            ['Size', version.bytes.length],
            ['StorageClass', version.storageClass],
          ],
        ]
      }),
    ]),
  }
}

interface Listed {
  readonly key: string
  readonly versionId: string
}

const beginOf = (all: readonly Listed[], key: string | null, versionId: string | null): number => {
  if (key === null) return 0
  if (versionId !== null) {
    const at = all.findIndex((one) => one.key === key && one.versionId === versionId)
    if (at >= 0) return at + 1
  }
  const next = all.findIndex((one) => compareKeys(one.key, key) > 0)
  return next < 0 ? all.length : next
}
