import { createHash } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { System } from '#src/app/system.ts'
import type { startServer } from './server.ts'

/* Submissions over HTTP, as clients send them, and what becomes of them. */

export const url = '/api/v1/ingest/submissions'

export type Given = Awaited<ReturnType<typeof startServer>>

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
