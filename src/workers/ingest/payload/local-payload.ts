import { open, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { SubmissionType } from '../../../domain/ingest/payload.ts'
import type { SubmittedPayload } from '../../../domain/ingest/submission.ts'
import { beginningBytes, typeOfFile } from './type-of-file.ts'
import { typeOfFolder } from './type-of-folder.ts'

interface AskedFor {
  readonly type?: SubmissionType | undefined
  /** Name of the file, in place of that in its path. */
  readonly name?: string | undefined
}

/**
 * Returns the payload for a local file or folder; its bytes stay where they are. Throws what the file system throws.
 */
export const localPayload = async (
  path: string,
  { type: asked, name = basename(path) }: AskedFor = {},
): Promise<SubmittedPayload> => {
  const found = await stat(path)
  if (found.isDirectory())
    return { url: pathToFileURL(`${path}/`).href, type: asked ?? (await typeOfFolder(path)) }
  const type = asked ?? (await typeOfFile(name, () => beginningOf(path)))
  return { url: pathToFileURL(path).href, name, size: found.size, type }
}

const beginningOf = async (path: string): Promise<Buffer> => {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(beginningBytes), 0, beginningBytes, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}
