import { createHash } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { isLeft } from 'fp-ts/lib/Either.js'
import { messageOf, readTopic } from '#src/app/read-topic.ts'
import type { System } from '#src/app/system.ts'
import { submissionsTopic } from '#src/domain/ingest/messages.ts'
import type { startServer } from './server.ts'

/* Submissions over HTTP, as clients send them, and what becomes of them. */

export const url = '/api/v1/ingest/submissions'

export type Given = Awaited<ReturnType<typeof startServer>>

/** What stands on the topic, in the order in which it was submitted. */
export const submitted = async ({ broker }: System) => {
  const page = await readTopic(broker, submissionsTopic.name, 'start', 100)
  if (isLeft(page)) throw new Error('the topic cannot be read')
  // biome-ignore lint/suspicious/noExplicitAny: assertions say what is there
  const messages = page.right.records.map((record) => messageOf(record).value as any)
  return messages.sort((one, other) => (one.batch < other.batch ? -1 : 1))
}

export const dropped = ({ config }: System): readonly string[] => {
  const folder = join(config.home, 'drop')
  return existsSync(folder) ? readdirSync(folder, { recursive: true }).map(String).sort() : []
}

export type Part = readonly [name: string, value: string | Uint8Array, filename?: string]

const boundary = '----a-form'
export const formBytes = (parts: readonly Part[]): Buffer =>
  Buffer.concat([
    ...parts.flatMap(([name, value, filename]) => [
      Buffer.from(
        `--${boundary}\r\ncontent-disposition: form-data; name="${name}"${filename === undefined ? '' : `; filename="${filename}"\r\ncontent-type: application/octet-stream`}\r\n\r\n`,
      ),
      Buffer.from(value),
      Buffer.from('\r\n'),
    ]),
    Buffer.from(`--${boundary}--\r\n`),
  ])

export const formType = `multipart/form-data; boundary=${boundary}`

export const send = ({ request }: Given, parts: readonly Part[], headers: Record<string, string> = {}) =>
  request({
    method: 'POST',
    url,
    payload: formBytes(parts),
    headers: { 'content-type': formType, ...headers },
  })

export const who: readonly Part[] = [
  ['profile', 'default'],
  ['submitter', 'ada'],
]
export const sha256 = (text: string | Uint8Array): string => createHash('sha256').update(text).digest('hex')
