import { createHash } from 'node:crypto'
import { documentOf, drain } from './answer.ts'
import type { Send } from './sender.ts'
import { childrenOf, childText, escapeXml } from './xml.ts'

export interface DeleteOptions {
  /** Deletes this version for good; absent: the key, of which a bucket with versions keeps all and adds a marker. */
  readonly versionId?: string | undefined
  readonly signal?: AbortSignal | undefined
}

/** A key that is not there is no failure: S3 does not tell. */
export const deleteObject = async (send: Send, key: string, options: DeleteOptions = {}): Promise<void> => {
  const { versionId, signal } = options
  await send(
    { method: 'DELETE', key, ...(versionId !== undefined && { query: { versionId } }), signal },
    drain,
  )
}

export interface NotDeleted {
  readonly key: string
  readonly code: string
  readonly message: string
}

/** Keys of one request. */
const maxKeys = 1000

/** Deletes all of them, a thousand in a request, and returns those that the server did not delete. */
export const deleteObjects = async (
  send: Send,
  keys: readonly string[],
  signal?: AbortSignal,
): Promise<readonly NotDeleted[]> => {
  const failed: NotDeleted[] = []
  const inXml = keys.filter((key) => !unheld.test(key))
  for (let at = 0; at < inXml.length; at += maxKeys)
    failed.push(...(await deleteTogether(send, inXml.slice(at, at + maxKeys), signal)))
  for (const key of keys) if (unheld.test(key)) await deleteObject(send, key, { signal })
  return failed
}

/** Characters that XML 1.0 cannot hold. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are they.
const unheld = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/

const deleteTogether = (send: Send, keys: readonly string[], signal: AbortSignal | undefined) => {
  const objects = keys.map((key) => `<Object><Key>${escapeXml(key)}</Key></Object>`)
  const body = Buffer.from(`<Delete><Quiet>true</Quiet>${objects.join('')}</Delete>`)
  const headers = {
    'content-type': 'application/xml',
    'content-md5': createHash('md5').update(body).digest('base64'),
  }
  return send({ method: 'POST', query: { delete: '' }, headers, body, signal }, async (answer) =>
    childrenOf(await documentOf(answer, 'DeleteResult'), 'Error').map((error) => ({
      key: childText(error, 'Key') ?? '',
      code: childText(error, 'Code') ?? '',
      message: childText(error, 'Message') ?? '',
    })),
  )
}
