import type { IncomingHttpHeaders } from 'node:http'
import { Readable } from 'node:stream'
import * as E from 'fp-ts/lib/Either.js'
import { type FileAnswer, fileAnswer } from './file-answer.ts'
import { type OpenFile, openFile } from './open-file.ts'

interface Served extends Pick<FileAnswer, 'status' | 'headers'> {
  readonly body: Readable
}

/** Answers GET or HEAD from the first of the places where the file can be read. Left: why it can be read at none, a sentence each. */
export const serveFile = async (
  locations: readonly string[],
  { method, headers: asked }: { readonly method: string; readonly headers: IncomingHttpHeaders },
): Promise<E.Either<string, Served>> => {
  const opened = await openFirst(locations)
  if (E.isLeft(opened)) return opened
  const file = opened.right
  const { status, headers, range } = fileAnswer(asked, file)
  if (range && method !== 'HEAD') return E.right({ status, headers, body: file.bytes(range) })
  await file.close()
  // A stream: of a body that is there, the server would count the length anew.
  return E.right({ status, headers, body: Readable.from([]) })
}

const openFirst = async (locations: readonly string[]): Promise<E.Either<string, OpenFile>> => {
  const reasons: string[] = []
  for (const location of locations) {
    const file = await openFile(location)
    if (E.isRight(file)) return file
    reasons.push(file.left)
  }
  return E.left(reasons.join('; '))
}
