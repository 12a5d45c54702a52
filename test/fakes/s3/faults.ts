import type { ServerResponse } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import type { Answer } from './request.ts'
import { errorDocument } from './xml.ts'

/** A thing that goes wrong with one request. */
export type Fault =
  /** It is not carried out, and this is the answer. */
  | { readonly kind: 'answer'; readonly answer: Answer }
  /** It is not carried out, and the connection is cut. */
  | { readonly kind: 'refuse' }
  /** It is carried out, and the connection is cut behind so many bytes of the answer's body. */
  | { readonly kind: 'cut'; readonly afterBytes: number }
  /** It is carried out, and nobody learns of it. */
  | { readonly kind: 'lose' }
  /** It is carried out, and the answer claims this length; the connection ends behind the bytes that there are. */
  | { readonly kind: 'length'; readonly contentLength: number }
  /** It is carried out so much later. */
  | { readonly kind: 'delay'; readonly millis: number }
  /** It is carried out, and the answer's body comes in pieces of so many bytes, so far apart. */
  | { readonly kind: 'slow'; readonly pieceBytes: number; readonly pauseMillis: number }

/** An error in XML, as S3 sends one. A status of 200 is one, too: CompleteMultipartUpload may fail so. */
export const failing = (status: number, code: string, message = code): Fault => ({
  kind: 'answer',
  answer: {
    status,
    headers: { 'content-type': 'application/xml' },
    body: errorDocument(code, message, '/'),
  },
})

export const slowDown = failing(503, 'SlowDown', 'Please reduce your request rate.')
export const internalError = failing(
  500,
  'InternalError',
  'We encountered an internal error. Please try again.',
)

/** Sends an answer, or as much of it as the fault lets through. */
export const send = async (
  response: ServerResponse,
  answer: Answer,
  isHead: boolean,
  fault?: Fault,
): Promise<void> => {
  const body = Buffer.from(answer.body ?? '')
  const headers: Record<string, string> = { 'content-length': String(body.length), ...answer.headers }
  const socket = response.socket
  if (fault?.kind === 'lose') {
    socket?.destroy()
    return
  }
  if (fault?.kind === 'length') {
    headers['content-length'] = String(fault.contentLength)
    headers.connection = 'close'
    // Node itself would not let the two differ.
    response.strictContentLength = false
  }
  response.writeHead(answer.status, headers)
  if (isHead) response.end()
  else if (fault?.kind === 'cut') {
    response.flushHeaders()
    if (fault.afterBytes > 0)
      await new Promise((written) => response.write(body.subarray(0, fault.afterBytes), written))
    // Else the reset overtakes what was written.
    await wait(20)
    socket?.resetAndDestroy()
  } else if (fault?.kind === 'length') {
    response.write(body.subarray(0, fault.contentLength), () => socket?.end())
  } else if (fault?.kind === 'slow') {
    for (let at = 0; at < body.length && !response.destroyed; at += fault.pieceBytes) {
      response.write(body.subarray(at, at + fault.pieceBytes))
      await wait(fault.pauseMillis)
    }
    response.end()
  } else response.end(body)
}
