import { Readable } from 'node:stream'
import type { Response } from './direct/request.ts'
import { connectionFailure, failureIn, invalidAnswer } from './errors.ts'
import { InvalidXml, parseXml, type XmlElement } from './xml.ts'

/** A server's answer. */
export interface Answer {
  readonly address: string
  readonly status: number
  /** Names in lower case; values of equal names are joined by commas. */
  readonly headers: Readonly<Record<string, string>>
  /** As stored: no coding is undone. Throws `S3Error` where it is not as long as announced, and the signal's reason. */
  readonly body: AsyncIterable<Uint8Array>
  /** All that `body` gives, where it came at once. */
  readonly whole?: Uint8Array | undefined
}

export const answerOf = (
  address: string,
  { method, signal }: { readonly method: string; readonly signal?: AbortSignal | undefined },
  response: Response,
): Answer => {
  const { statusCode: status, body, whole } = response
  // A body that nobody reads is aborted in the end: its error then has no other listener.
  if (body instanceof Readable) body.on('error', () => {})
  const headers = headersOf(response.headers)
  const length = method === 'HEAD' ? 0 : lengthIn(headers)
  return { address, status, headers, body: bodyOf(address, body, length, signal), whole }
}

type Chunks = AsyncIterable<Uint8Array>

/** `return` lets the connection go, also where no byte was read yet. */
const bodyOf = (
  address: string,
  body: Response['body'],
  length: number | undefined,
  signal: AbortSignal | undefined,
): Chunks => ({
  [Symbol.asyncIterator]: () => {
    const chunks = checked(address, body, length, signal)
    return {
      next: () => chunks.next(),
      return: async () => {
        body.destroy()
        return { done: true, value: undefined }
      },
    }
  },
})

/** Ends the connection of an answer that is of no use. */
export const discard = async (body: Chunks): Promise<void> => {
  await body[Symbol.asyncIterator]().return?.()
}

async function* checked(
  address: string,
  chunks: Chunks,
  length: number | undefined,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array> {
  let bytes = 0
  try {
    for await (const chunk of chunks) {
      bytes += chunk.length
      yield chunk
    }
  } catch (error) {
    signal?.throwIfAborted()
    throw connectionFailure(address, error)
  }
  if (length !== undefined && bytes !== length) throw truncated(address, bytes, length)
}

const truncated = (address: string, bytes: number, length: number) =>
  connectionFailure(
    address,
    Object.assign(new Error(`the answer ended after ${bytes} of ${length} bytes`), { code: 'TruncatedBody' }),
  )

/** Bytes that the answer announces; undefined where it does not. */
export const lengthIn = (headers: Answer['headers']): number | undefined => {
  const length = headers['content-length']
  return length !== undefined && /^\d+$/.test(length) ? Number(length) : undefined
}

const headersOf = (named: Response['headers']): Record<string, string> => {
  const headers: Record<string, string> = {}
  for (const name in named) {
    const value = named[name]
    if (value !== undefined) headers[name] = typeof value === 'string' ? value : value.join(',')
  }
  return headers
}

/** A page of 1,000 keys of 1,024 bytes each, escaped, has 9 MB at most. */
const maxDocument = 32 * 1024 * 1024

/** The whole body as text. Throws `S3Error` where it is longer than a document of S3 can be, or no UTF-8. */
export const textOf = async ({ address, body }: Answer): Promise<string> => {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of body) {
    bytes += chunk.length
    if (bytes > maxDocument) throw invalidAnswer(address, `the answer is longer than ${maxDocument} bytes`)
    chunks.push(chunk)
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks))
  } catch (error) {
    throw invalidAnswer(address, 'the answer is no text in UTF-8', error)
  }
}

/** Reads an answer that has nothing to say, so that its connection can be used again. */
export const drain = async (answer: Answer): Promise<Answer> => {
  for await (const _ of answer.body);
  return answer
}

/**
 * The answer's document, whose root must be `name`. Throws `S3Error` where it is another: servers answer 200 first, and
 * say in the body that it came to nothing.
 */
export const documentOf = async (answer: Answer, name: string): Promise<XmlElement> =>
  documentIn(answer, name, await textOf(answer))

export const documentIn = (answer: Answer, name: string, text: string): XmlElement => {
  try {
    return checkDocument(answer, name, parseXml(text.trimStart()), text)
  } catch (error) {
    if (!(error instanceof InvalidXml)) throw error
    throw invalidAnswer(answer.address, `the answer is no XML: ${error.message}`, error)
  }
}

/** Returns the root. */
export const checkDocument = (answer: Answer, name: string, root: XmlElement, text: string): XmlElement => {
  if (root.name === 'Error') throw failureIn(answer.address, answer, text.trimStart())
  if (root.name !== name) throw invalidAnswer(answer.address, `answered with <${root.name}>, not <${name}>`)
  return root
}
