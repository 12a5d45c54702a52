import { addressOf, answered, Refused } from './client.ts'
import { partsOf } from './lines-of.ts'
import type { paths } from './schema.ts'
import { sendAgain } from './send-again.ts'

type Taken = paths['/api/v1/topics/{topic}/messages']['post']['responses'][202]['content']['application/json']

/** A line that cannot be used, with the number that an editor shows. */
export interface RefusedLine {
  readonly line: number
  readonly message: string
}

export interface Sent {
  readonly bytes: number
  readonly accepted: number
  readonly refused: number
  /** The first of them. */
  readonly first: readonly RefusedLine[]
}

/** A request takes 10 MiB and 10,000 messages. */
const limits = { maxBytes: 4 * 1024 * 1024, maxLines: 5000 }
const maxListed = 100

interface Sending {
  /** Sent again with the same key, each line is the same message. */
  readonly key: string
  readonly signal: AbortSignal
  readonly onProgress: (sent: Sent) => void
  readonly onLost: () => void
}

/** Puts the lines of a file on a topic, a part after the other. Rejects with `Refused`, or with the signal's reason. */
export const sendLines = async (
  topic: string,
  file: Blob,
  { key, signal, onProgress, onLost }: Sending,
): Promise<Sent> => {
  let sent: Sent = { bytes: 0, accepted: 0, refused: 0, first: [] }
  const address = addressOf('/api/v1/topics/{topic}/messages', { topic }, { partial: true })
  for await (const { first, bytes } of partsOf(file.stream(), limits)) {
    const headers = { 'content-type': 'application/x-ndjson', 'idempotency-key': `${key}-${first}` }
    const ask = () => sendPart(address, { method: 'POST', headers, body: bytes, signal })
    const taken = await sendAgain(ask, { signal, onLost })
    const refused = taken.refused.map(({ line, message }) => ({ line: line + first - 1, message }))
    sent = {
      bytes: sent.bytes + bytes.length,
      accepted: sent.accepted + taken.accepted.length,
      refused: sent.refused + taken.refusedCount,
      first: [...sent.first, ...refused].slice(0, maxListed),
    }
    onProgress(sent)
  }
  return sent
}

const noMessages: Taken = { accepted: [], refused: [], refusedCount: 0 }

/** A part of which no line can be used, or that is all blank, is no reason to stop. */
const sendPart = async (address: string, asked: RequestInit): Promise<Taken> => {
  try {
    return (await (await answered(address, asked)).json()) as Taken
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    const { code, ...rest } = error.problem as Refused['problem'] & Partial<Taken>
    if (code === 'no-messages') return noMessages
    if (code !== 'refused') throw error
    return { ...noMessages, refused: rest.refused ?? [], refusedCount: rest.refusedCount ?? 0 }
  }
}
