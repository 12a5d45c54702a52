import type { EventData, JSONEventData } from '@eventstore/db-client'
import { status } from '@grpc/grpc-js'
import type { NewEvent } from '../../../src/domain/kernel/event.ts'
import { asBytes, type StoredContent, storedText } from '../../../src/domain/kernel/stored-event.ts'
import { encodeStored, storedMetadata } from './event-coding.ts'

/* Events as the client of EventStoreDB takes them: for servers that take no batches of ours. */

export const clientEvent = ({ id, type, data = null, metadata }: NewEvent): JSONEventData => ({
  id,
  type,
  contentType: 'application/json',
  data: data as JSONEventData['data'],
  metadata: storedMetadata(metadata),
})

/** Throws if the client would write other bytes: it takes JSON as a value, and writes that in its own way. */
export const clientStored = (event: StoredContent): EventData => {
  const { id, type, isJson } = event
  // The client looks at the class itself, which a Buffer is not.
  const metadata = new Uint8Array(asBytes(encodeStored(event).metadata))
  if (!isJson)
    return {
      id,
      type,
      contentType: 'application/octet-stream',
      data: new Uint8Array(asBytes(event.data)),
      metadata,
    }
  const data = valueOfOneForm(storedText(event.data))
  if (data === undefined)
    throw Object.assign(
      new Error(`${type} ${id} cannot be written byte for byte: the server takes no batches; update it`),
      {
        code: status.INVALID_ARGUMENT,
      },
    )
  return { id, type, contentType: 'application/json', data: data as JSONEventData['data'], metadata }
}

const valueOfOneForm = (text: string | undefined): unknown => {
  try {
    const value: unknown = JSON.parse(text ?? '')
    return JSON.stringify(value) === text ? value : undefined
  } catch {
    return undefined
  }
}
