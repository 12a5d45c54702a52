import { createHash } from 'node:crypto'
import { contentTopic, indexTopic, observationsTopic } from '../../../src/domain/fixity/messages.ts'
import { writeMessage } from '../../../src/domain/kernel/cloud-event.ts'
import { causeOf } from '../../../src/domain/kernel/message.ts'
import type { ProducerRecord } from '../../../src/ports/broker.ts'

/* The messages that are sent while processes are killed: each follows from its number, with what must come of it. */

/** `type`: of the one event of its cause, in this stream. */
export type Expected =
  | { readonly kind: 'effect'; readonly stream: string; readonly type: string }
  | { readonly kind: 'rejected' }
  | { readonly kind: 'dead' }

export interface Sent {
  readonly record: ProducerRecord
  readonly cause: string
  readonly expected: Expected
}

export const messagesInAll = 8000
/** Every tenth message records a file of the folder store. */
export const files = messagesInAll / 10
export const fileName = (n: number): string => `box ${n % 20}/file ${n}.txt`

const digest = (text: string) => ({
  algorithm: 'sha-256',
  value: createHash('sha256').update(text).digest('hex'),
})

const source = 'urn:test:producer'

/** `time`: when it is sent. Sent again it bears another time, and is the same message all the same. */
export const messageOf = (n: number, time = '2026-01-01T00:00:00.000Z'): Sent => {
  const id = `message ${n}`
  const cause = causeOf({ source, id })
  const told = (
    topic: typeof contentTopic | typeof indexTopic | typeof observationsTopic,
    type: string,
    data: { readonly store: string; readonly path: string },
  ): Pick<Sent, 'record' | 'cause'> => ({
    record: writeMessage({ id, source, type, time, data }, topic),
    cause,
  })
  const effect = (
    type: string,
    { store, path }: { store: string; path: string },
  ): Pick<Sent, 'expected'> => ({
    expected: { kind: 'effect', stream: `fixity-${store}/${path}`, type },
  })

  if (n % 10 === 0) {
    const file = { store: 'folder', path: fileName(n / 10) }
    return {
      ...told(contentTopic, 'content.recorded', { ...file, checksums: [digest(file.path)] } as typeof file),
      ...effect('ContentRecorded', file),
    }
  }
  const elsewhere = { store: 'elsewhere', path: `item ${n % 7}` }
  switch (n % 10) {
    case 1:
    case 2:
    case 3: {
      // The same few items again and again, each time with another word: it shows whether order is kept.
      const data = { ...elsewhere, size: n, checksums: [digest(String(n))] }
      return { ...told(contentTopic, 'content.recorded', data), ...effect('ContentRecorded', elsewhere) }
    }
    case 4:
    case 5: {
      const data = { ...elsewhere, size: n, checksums: [digest(String(n))] }
      return { ...told(indexTopic, 'index.recorded', data), ...effect('IndexRecorded', elsewhere) }
    }
    case 6:
    case 7: {
      const seen = { store: 'elsewhere', path: `seen ${n}` }
      const data = { ...seen, ...nothingThere }
      return { ...told(observationsTopic, 'content.observed', data), ...effect('FixityDecided', seen) }
    }
    case 8: {
      const data = { ...elsewhere, ...nothingThere, fence: 1_000_000 }
      return { ...told(observationsTopic, 'content.observed', data), expected: { kind: 'rejected' } }
    }
    default: {
      const record = {
        topic: contentTopic.name,
        key: `bad ${n}`,
        headers: {},
        value: Buffer.from([0xff, n & 0xff]),
      }
      return { record, cause, expected: { kind: 'dead' } }
    }
  }
}

const nothingThere = {
  content: { status: 'missing' },
  storage: { status: 'missing' },
  observedAt: '2026-01-01T00:00:00.000Z',
}
