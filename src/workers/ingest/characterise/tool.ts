import type { Hold } from '../../../async/hold.ts'

/** A program of another that says what a file is. */
export interface Tool {
  /** How it is named in what is kept of its answers. */
  readonly name: string
  /** What it says of a file, by the file's absolute path. Throws `ToolFailure`, and the reason of the signal. */
  readonly ask: (path: string, hold: Hold) => Promise<string>
}

/** It gave no answer that can be kept: the message continues its name. */
export class ToolFailure extends Error {
  override readonly name = 'ToolFailure'
}

export const maxAnswerBytes = 1024 ** 2

/** Stands for the file's path, wherever it is wanted. */
export const pathMark = '{path}'

/** Chunks as one text. Throws `ToolFailure` where there are too many. */
export const createAnswer = () => {
  const chunks: Uint8Array[] = []
  let length = 0
  return {
    add: (chunk: Uint8Array): void => {
      length += chunk.length
      if (length > maxAnswerBytes) throw new ToolFailure(`says more than ${maxAnswerBytes} bytes of it`)
      // The buffer may be used again.
      chunks.push(Uint8Array.from(chunk))
    },
    text: (): string => Buffer.concat(chunks).toString('utf8').toWellFormed(),
  }
}
