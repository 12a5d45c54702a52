import type { RecordedEvent } from './event.ts'

/** Bytes as a log holds them. A text stands for its UTF-8. */
export type StoredBytes = string | Uint8Array

/** An event in the bytes in which a log holds it. */
export interface StoredContent extends Pick<RecordedEvent, 'id' | 'type'> {
  readonly data: StoredBytes
  /** Empty if there are none. */
  readonly metadata: StoredBytes
  /** Its writer declared the data as JSON, which they need not be. */
  readonly isJson: boolean
}

export interface StoredEvent
  extends StoredContent,
    Pick<RecordedEvent, 'stream' | 'revision' | 'position' | 'recordedAt'> {}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** The text that these bytes are; undefined if they are not UTF-8. */
export const storedText = (bytes: StoredBytes): string | undefined => {
  if (typeof bytes === 'string') return bytes
  try {
    return utf8.decode(bytes)
  } catch {
    return undefined
  }
}

export const asBytes = (bytes: StoredBytes): Uint8Array =>
  typeof bytes === 'string' ? Buffer.from(bytes) : bytes

export const isSameBytes = (one: StoredBytes, other: StoredBytes): boolean =>
  typeof one === 'string' && typeof other === 'string'
    ? one === other
    : Buffer.compare(asBytes(one), asBytes(other)) === 0

export const sizeOfStored = ({ data, metadata }: Pick<StoredContent, 'data' | 'metadata'>): number =>
  Buffer.byteLength(data) + Buffer.byteLength(metadata)
