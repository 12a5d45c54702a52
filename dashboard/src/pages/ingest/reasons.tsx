import { Link } from '../../address/use-address.tsx'
import type { Answer as AnswerOf } from '../../api/client.ts'
import { Name } from '../../parts/name.tsx'
import { bytes, count, plural } from '../../parts/words.ts'
import { jobAt } from './addresses.ts'

type Batch = AnswerOf<'/api/v1/ingest/batches/{batch}'>
export type Reason = Batch['reasons'][number]

interface ReasonsProps {
  readonly of: readonly Reason[]
  /** With the command that helps; else in few words. */
  readonly isWhole?: boolean
}

/** Why a batch is not done: a line for each reason, with the first job of which it is true. */
export const Reasons = ({ of, isWhole = false }: ReasonsProps) =>
  of.length === 0 ? null : (
    <ul class="reasons" aria-label="Why it is not done">
      {of.map((reason) => (
        <li key={`${reason.kind} ${reason.job}`}>
          {reason.job !== null && (
            <>
              <Link to={jobAt(reason.job)}>{`job ${reason.job}`}</Link>
              {reason.ofJobs > 1 && ` and ${count(reason.ofJobs - 1)} more`}:{' '}
            </>
          )}
          <Name text={isWhole ? reason.says : inFewWords(reason)} isWhole={isWhole} />
        </li>
      ))}
    </ul>
  )

/** With both numbers: what is needed and what there is. */
export const inFewWords = (reason: Reason): string => {
  const { kind, says, who, because = 'no reason is given', bytes: needed, leftBytes, mostBytes = 0 } = reason
  const needs = typeof needed === 'number' ? `needs ${bytes(needed)}` : 'of unknown size'
  switch (kind) {
    case 'waits-for-room':
      if (reason.never) return `can never fit: ${needs}, ${bytes(mostBytes)} may be used at most`
      return leftBytes === undefined
        ? `waits for room: ${needs}`
        : `waits for room: ${needs}, ${leftBytes > 0 ? bytes(leftBytes) : 'nothing'} is free`
    case 'storage-too-small':
      return `can never be stored: ${needs}, the disk has ${bytes(mostBytes)}`
    case 'next':
    case 'behind':
      return `${reason.ahead === 0 ? 'next' : `${count(reason.ahead ?? 0)} before it`}; ${plural(reason.running ?? 0, 'job')} worked on, ${count(reason.atOnce ?? 0)} at once a process`
    case 'failed':
    case 'failed-for-good':
      return `failed${reason.step === undefined ? '' : ` in ${reason.step}`}: ${because}`
    case 'held':
      return `held by ${who}: ${because}`
    case 'paused':
      return `${who} paused all ingest: ${because}`
    case 'collection-on-hold':
      return `${who} put its collection on hold: ${because}`
    case 'put-off':
      return `put off: ${because}`
    case 'claim-ran-out':
      return 'its worker was not heard of again'
    case 'waits-for-inventory':
      return 'waits for the other inventory'
    default:
      return says
  }
}
