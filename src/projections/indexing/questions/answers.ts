import * as t from 'io-ts'
import { fileStates } from '../../../domain/indexing/file-states.ts'
import { Kind } from '../../../domain/indexing/kind.ts'
import { FailureCode } from '../../../domain/indexing/outcome.ts'

/* Codecs of the answers about indexing. Times are ISO 8601 UTC, sizes bytes. */

export const FileState = t.keyof(fileStates, 'state of a file')

const textOrNull = t.union([t.string, t.null])
const numberOrNull = t.union([t.number, t.null])

export const FileLine = t.type({
  repository: t.string,
  name: t.string,
  state: FileState,
  kind: Kind,
  /** Since the last success, reset or change. */
  failures: t.number,
  code: t.union([FailureCode, t.null]),
  /** Why it failed, is parked, withdrawn, or in conflict: a sentence. */
  because: textOrNull,
  /** Byte at which it failed. */
  offset: numberOrNull,
  /** One name, different contents in two places. */
  conflict: t.boolean,
  /** It is damaged: its whole records are in the index, and the rest is lost. */
  salvaged: t.boolean,
  /** Bytes that its salvage had to leave out; null if it was read whole. */
  lostBytes: numberOrNull,
  /** Lines of it in the index; null if there are none, or others put them there. */
  lines: numberOrNull,
  size: numberOrNull,
  location: textOrNull,
  modifiedAt: textOrNull,
  discoveredAt: t.string,
  indexedAt: textOrNull,
  /** Since when its present content is not in the index. */
  unpublishedSince: textOrNull,
  /** When there is something to do with it. */
  due: textOrNull,
  /** The last day (UTC) on which nothing of it is shown; it may be over. */
  embargoUntil: textOrNull,
})
export type FileLine = t.TypeOf<typeof FileLine>

export const FailedLine = t.type({
  ...FileLine.props,
  /** Command for a person, to be given with `--actor` and `--reason`; null if it is retried automatically. */
  command: textOrNull,
})
export type FailedLine = t.TypeOf<typeof FailedLine>

export const ReportLine = t.type({
  repository: t.string,
  state: FileState,
  kind: Kind,
  files: t.number,
  lines: t.number,
  bytes: t.number,
  /** Files among them that are damaged, and were salvaged. */
  salvaged: t.number,
  /** Bytes of them that are lost. */
  lostBytes: t.number,
})
export type ReportLine = t.TypeOf<typeof ReportLine>

export const AgeLine = t.type({
  state: FileState,
  /** Fewest hours that they have not been in the index. */
  fromHours: t.number,
  /** Hours that they have not reached; null: or any longer. */
  toHours: numberOrNull,
  files: t.number,
})
export type AgeLine = t.TypeOf<typeof AgeLine>

export const WhyFile = t.type({
  repository: t.string,
  name: t.string,
  state: FileState,
  /** Its present content can be found. */
  findable: t.boolean,
  /** It is damaged: its whole records can be found, and the rest is lost. */
  salvaged: t.boolean,
  /** Since when it can, or cannot, be found. */
  since: textOrNull,
  lines: numberOrNull,
  /** The last day (UTC) of the embargo that holds now. */
  embargoUntil: textOrNull,
  reasons: t.readonlyArray(t.string),
})
export type WhyFile = t.TypeOf<typeof WhyFile>

export const WhyUrl = t.type({
  url: t.string,
  /** Its key in the index. */
  key: t.string,
  findable: t.boolean,
  /** Since when the first of its files is in the index; null if that is not known, or it cannot be found. */
  since: textOrNull,
  /** Number of captures in the index; at least so many over HTTP, if the reasons say so. */
  captures: t.number,
  /** Archive files that have them; the first twenty. */
  files: t.readonlyArray(t.string),
  /** 14 digits, UTC. */
  first: textOrNull,
  last: textOrNull,
  reasons: t.readonlyArray(t.string),
})
export type WhyUrl = t.TypeOf<typeof WhyUrl>

export const WhyAnswer = t.union([WhyFile, WhyUrl])
