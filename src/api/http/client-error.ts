import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { problemType } from '../../app/documents/problem.ts'
import { type DetailedProblem, problem } from './refuse.ts'

/** How long a client may go on sending: one that is cut off while it sends never sees the answer. */
const lingerMillis = 2000

/** Answers what Node's parser rejects as no request, before any route, and ends the connection. */
export const onClientError =
  (maxHeaderSize: number) =>
  (error: NodeJS.ErrnoException, socket: Socket): void => {
    if (error.code === 'ECONNRESET') return void socket.destroy()
    // Each further piece of the same request comes as an error of its own.
    if (!socket.writable) return
    socket.end(response(asProblem(error, maxHeaderSize)))
    const cut = setTimeout(() => socket.destroy(), lingerMillis)
    socket.once('close', () => clearTimeout(cut))
  }

const asProblem = ({ code, message }: NodeJS.ErrnoException, maxHeaderSize: number): DetailedProblem => {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return problem(
        431,
        'headers-too-large',
        `the address and the headers are over ${maxHeaderSize} bytes; ask for less at a time`,
      )
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return problem(413, 'too-large', 'the extensions of a chunk are too large; leave them out')
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return problem(408, 'too-slow', 'the request did not arrive in time; send it again')
    default:
      return problem(400, 'bad-request', `this is not valid HTTP: ${message}`)
  }
}

const response = (problem: DetailedProblem): string => {
  const body = JSON.stringify(problem)
  const head = [
    `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}`,
    `Content-Type: ${problemType}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    'X-Content-Type-Options: nosniff',
    'Connection: close',
  ]
  return `${head.join('\r\n')}\r\n\r\n${body}`
}
