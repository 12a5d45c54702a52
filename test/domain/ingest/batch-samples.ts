import type { BatchCommand } from '#src/domain/ingest/batch/commands.ts'
import type { BatchEvent } from '#src/domain/ingest/batch/events.ts'
import { by, claimBatch, note, object, playBatch, reason, reported, submitted } from './samples.ts'

export const person = (type: 'HoldBatch' | 'ReleaseBatch' | 'UpdateReport', minutes = 8): BatchCommand => ({
  type,
  ...reason,
  ...by(minutes),
})
export const remove = (confirmed = true): BatchCommand => ({
  type: 'DeleteBatch',
  confirmed,
  ...reason,
  ...by(8),
})
export const sweep = (who: 'admin' | 'system' = 'system'): BatchCommand => ({
  type: 'SweepBatch',
  by: who,
  ...reason,
  ...by(60),
})
export const held = playBatch(submitted, person('HoldBatch', 0))
export const reading = playBatch(submitted, claimBatch('open'))
export const endListing = (count: number): BatchCommand => ({
  type: 'EndListing',
  fence: 1,
  count,
  payloadType: 'file',
  ...by(1),
})
export const listing = (from: number, ...objects: number[]): BatchCommand => ({
  type: 'ListObjects',
  fence: 1,
  from,
  objects: objects.map(object),
  ...by(1),
})
export const broken: BatchCommand = { type: 'FailPayload', fence: 1, message: 'no row', ...by(1) }
export const unreadable = playBatch(reading, broken)
/** Failed; its job was resumed and has ended well; a person wants a new report. */
export const updating = playBatch(
  reported('failed'),
  note(0, 'open', 11),
  note(0, 'completed', 20),
  person('UpdateReport'),
)
export const mail = (fence: number, report = 1): { mail: 'report'; report: number; fence: number } => ({
  mail: 'report',
  report,
  fence,
})
export const sent = (fence: number, report = 1): BatchCommand => ({
  type: 'RecordMail',
  ...mail(fence, report),
  to: ['curator@example.org'],
  ...by(9),
})
export const told = playBatch(reported('completed'), claimBatch('mail', 7), sent(3))
export const only = <Type extends BatchEvent['type']>(events: readonly BatchEvent[], type: Type) =>
  events.find((event) => event.type === type)?.data as Extract<BatchEvent, { type: Type }>['data'] | undefined
