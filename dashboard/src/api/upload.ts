import { noAnswer, Refused, refusedBy } from './client.ts'
import type { paths } from './schema.ts'

/* `fetch` tells nothing of how much was sent. */

type Intake = '/api/v1/ingest/submissions'
export type Taken = paths[Intake]['post']['responses'][202]['content']['application/json']

interface Sending {
  /** Sent again with the same key it is the same submission. */
  readonly key: string
  readonly signal: AbortSignal
  /** Bytes of the form, which are a little more than those of its files. */
  readonly onProgress: (sent: number, all: number) => void
}

const intake: Intake = '/api/v1/ingest/submissions'

/** Submits files. Rejects with `Refused`, or with the signal's reason. */
export const upload = async (form: FormData, { key, signal, onProgress }: Sending): Promise<Taken> => {
  const response = await sent(form, key, signal, onProgress)
  if (!response.ok) throw await refusedBy(response)
  return (await response.json()) as Taken
}

const sent = (form: FormData, key: string, signal: AbortSignal, onProgress: Sending['onProgress']) =>
  new Promise<Response>((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open('POST', intake)
    request.setRequestHeader('accept', 'application/json')
    request.setRequestHeader('idempotency-key', key)
    request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(loaded, total))
    request.addEventListener('load', () => {
      const type = request.getResponseHeader('content-type') ?? ''
      resolve(
        new Response(request.responseText, { status: request.status, headers: { 'content-type': type } }),
      )
    })
    request.addEventListener('error', () => reject(new Refused(noAnswer)))
    request.addEventListener('abort', () => reject(signal.reason))
    signal.addEventListener('abort', () => request.abort())
    request.send(form)
  })
