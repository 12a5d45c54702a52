import { invalidAnswer } from './errors.ts'
import { type ListedObject, unquote } from './objects.ts'
import { createPages, type Page } from './pages.ts'
import type { Send } from './sender.ts'
import { childText, type XmlElement } from './xml.ts'

export interface ObjectVersion extends ListedObject {
  /** `null` for an object that was written without versions. */
  readonly versionId: string
  readonly isLatest: boolean
  /** The key was deleted here: there are no bytes; size 0, no ETag. */
  readonly isDeleteMarker: boolean
}

/** Lists all versions and delete markers, by key, the newest first: memory holds one page. Throws `S3Error`. */
export async function* listVersions(
  send: Send,
  { prefix, signal }: { readonly prefix?: string; readonly signal?: AbortSignal } = {},
): AsyncGenerator<readonly ObjectVersion[]> {
  const askPage = createPages(send, 'ListVersionsResult', signal)
  const common = { versions: '', ...(prefix && { prefix }) }
  let marker = {}
  for (;;) {
    const page = await askPage({ ...common, ...marker })
    yield page.root.children.flatMap((element) =>
      element.name === 'Version' || element.name === 'DeleteMarker' ? [versionOf(element, page)] : [],
    )
    if (childText(page.root, 'IsTruncated') !== 'true') return
    const version = childText(page.root, 'NextVersionIdMarker')
    const next = {
      'key-marker': page.name(page.root, 'NextKeyMarker'),
      ...(version && { 'version-id-marker': version }),
    }
    if (JSON.stringify(next) === JSON.stringify(marker))
      throw invalidAnswer(page.address, 'the listing comes to no end: it gives the same page again')
    marker = next
  }
}

const versionOf = (element: XmlElement, page: Page): ObjectVersion => {
  const isDeleteMarker = element.name === 'DeleteMarker'
  const storageClass = childText(element, 'StorageClass')
  return {
    key: page.name(element, 'Key'),
    versionId: page.text(element, 'VersionId'),
    isLatest: childText(element, 'IsLatest') === 'true',
    isDeleteMarker,
    size: isDeleteMarker ? 0 : page.number(element, 'Size'),
    etag: unquote(childText(element, 'ETag') ?? ''),
    modifiedAt: page.time(element, 'LastModified'),
    ...(storageClass && storageClass !== 'STANDARD' && { storageClass }),
  }
}
