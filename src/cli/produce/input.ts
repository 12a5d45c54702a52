import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { addAbortSignal } from 'node:stream'
import { type Either, left, right } from 'fp-ts/lib/Either.js'
import { v7 as uuid } from 'uuid'
import type { Session } from '../context.ts'
import { type CliFailure, refused, usage } from '../output/exit-codes.ts'

export interface Input {
  readonly chunks: AsyncIterable<Uint8Array | string>
  /** Bytes, where that is known. */
  readonly size: number | undefined
  /** For people: the file's name, or `stdin`. */
  readonly name: string
  /** The same for an unchanged file; another one each time for standard input. */
  readonly version: string
}

/** A file, or standard input where none is named or `-` is. */
export const openInput = async (
  session: Session,
  file: string | undefined,
): Promise<Either<CliFailure, Input>> => {
  if (file === undefined || file === '-') {
    if (session.stdin.isTTY && file === undefined)
      return left(usage('there is nothing to read', 'name a file, pipe lines in, or give - to type them'))
    const chunks = addAbortSignal(session.signal, session.stdin)
    return right({ chunks, size: undefined, name: 'stdin', version: uuid() })
  }
  const found = await stat(file).catch((error: NodeJS.ErrnoException) => error)
  if (found instanceof Error)
    return left(
      refused(
        found.code === 'ENOENT' ? `there is no file ${file}` : `${file} cannot be read: ${found.message}`,
      ),
    )
  if (found.isDirectory())
    return left(refused(`${file} is a folder`, 'name one file, or `cat` several into a pipe'))
  return right({
    chunks: createReadStream(file, { highWaterMark: 256 * 1024, signal: session.signal }),
    size: found.isFile() ? found.size : undefined,
    name: basename(file),
    version: found.isFile() ? `${found.size}/${found.mtimeMs}` : uuid(),
  })
}
