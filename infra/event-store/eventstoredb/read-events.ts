import type { Connection } from './connection.ts'
import { pull, untilOver } from './pull.ts'
import { decodeAnswer, type Resolved } from './wire/read-answer.ts'
import { type Direction, type Place, readPath, streamRequest } from './wire/read-request.ts'

/** A part of a stream; empty where there is no such stream. Throws what the client throws. */
export const readEvents = (
  { calls, timeoutMillis, turns }: Pick<Connection, 'calls' | 'timeoutMillis' | 'turns'>,
  stream: string,
  from: Place,
  direction: Direction,
  maxCount: number,
): Promise<readonly Resolved[]> =>
  turns(async () => {
    const all: Resolved[] = []
    const answers = pull(calls.read(readPath, streamRequest(stream, from, direction, maxCount), decodeAnswer))
    for await (const items of untilOver(answers, timeoutMillis))
      for (const item of items) if (!('kind' in item)) all.push(item)
    return all
  })
