import type { CaptureLine } from '@fonds/cdx'
import * as t from 'io-ts'
import { inWords } from '../../../domain/indexing/captures/time-digits.ts'
import { bytes } from '../../../domain/kernel/amounts.ts'
import type { Column } from '../../runtime/shown.ts'

const textOrNull = t.union([t.string, t.null])
const numberOrNull = t.union([t.number, t.null])

/** A capture, by its line in the index; null for fields that the line does not have. */
export const CaptureRow = t.type({
  /** 14 digits, UTC. */
  timestamp: t.string,
  url: textOrNull,
  key: t.string,
  mime: textOrNull,
  status: textOrNull,
  digest: textOrNull,
  /** Name of the archive file. */
  file: textOrNull,
  /** Byte at which its record begins. */
  offset: numberOrNull,
  /** Bytes of its record. */
  length: numberOrNull,
})
export type CaptureRow = t.TypeOf<typeof CaptureRow>

export const captureRow = ({ key, time, field }: CaptureLine): CaptureRow => ({
  timestamp: time,
  url: statedOrNull(field('url')),
  key,
  mime: statedOrNull(field('mime')),
  status: statedOrNull(field('status')),
  digest: statedOrNull(field('digest')),
  file: statedOrNull(field('file')),
  offset: numberIn(field('offset')),
  length: numberIn(field('length')),
})

const statedOrNull = (text: string): string | null => (text === '-' ? null : text)
const numberIn = (text: string): number | null => (/^\d{1,15}$/.test(text) ? Number(text) : null)

export const captureColumns: readonly Column[] = [
  { key: 'timestamp', title: 'captured (UTC)', show: (time) => inWords(String(time)) },
  { key: 'url', leaveOut: 'middle' },
  { key: 'status' },
  { key: 'mime' },
  { key: 'length', title: 'size', show: (n) => (typeof n === 'number' ? bytes(n) : '') },
  { key: 'file', leaveOut: 'middle' },
]
