import type { TaskContext } from '../../../async/task-context.ts'

/** A third-party program that characterises a file. */
export interface Tool {
  /** Its name in stored answers. */
  readonly name: string
  /**
   * Returns its answer about a file, given the file's absolute path. Throws `ToolFailure`, and the reason of the
   * signal.
   */
  readonly ask: (path: string, context: TaskContext) => Promise<string>
}

/** The tool gave no answer that can be stored: the message continues the tool's name. */
export class ToolFailure extends Error {
  override readonly name = 'ToolFailure'
}

export const maxAnswerBytes = 1024 ** 2

/** Placeholder for the file's path, anywhere in the setting. */
export const pathMark = '{path}'

/** Concatenates chunks to a text. Throws `ToolFailure` above `maxAnswerBytes`. */
export const createAnswer = () => {
  const chunks: Uint8Array[] = []
  let length = 0
  return {
    add: (chunk: Uint8Array): void => {
      length += chunk.length
      if (length > maxAnswerBytes) throw new ToolFailure(`says more than ${maxAnswerBytes} bytes of it`)
      // The buffer may be reused.
      chunks.push(Uint8Array.from(chunk))
    },
    text: (): string => Buffer.concat(chunks).toString('utf8').toWellFormed(),
  }
}
