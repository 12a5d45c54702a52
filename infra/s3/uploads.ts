import { invalidAnswer } from './errors.ts'
import type { Upload } from './multipart.ts'
import { createPages } from './pages.ts'
import type { Send } from './sender.ts'
import { childrenOf, childText } from './xml.ts'

export interface OpenUpload extends Upload {
  /** ISO 8601 UTC. */
  readonly begunAt: string
}

/** Lists the uploads that are neither completed nor aborted. */
export async function* openUploads(
  send: Send,
  { prefix, signal }: { readonly prefix?: string; readonly signal?: AbortSignal } = {},
): AsyncGenerator<OpenUpload> {
  const askPage = createPages(send, 'ListMultipartUploadsResult', signal)
  const common = { uploads: '', ...(prefix && { prefix }) }
  let marker = {}
  for (;;) {
    const page = await askPage({ ...common, ...marker })
    for (const found of childrenOf(page.root, 'Upload'))
      yield {
        key: page.name(found, 'Key'),
        uploadId: page.text(found, 'UploadId'),
        begunAt: page.time(found, 'Initiated'),
      }
    if (childText(page.root, 'IsTruncated') !== 'true') return
    const next = {
      'key-marker': page.name(page.root, 'NextKeyMarker'),
      'upload-id-marker': page.text(page.root, 'NextUploadIdMarker'),
    }
    if (JSON.stringify(next) === JSON.stringify(marker))
      throw invalidAnswer(page.address, 'the listing comes to no end: it gives the same page again')
    marker = next
  }
}
