import { count, plural } from '../kernel/amounts.ts'
import type { Attempt, FollowUp, Outcome, ResolutionClass } from './events.ts'
import { type Finding, findingOf, type Settler } from './rules.ts'
import { compare, contradictions, disputed, joined, patternOf, type Witnesses } from './witness.ts'

/** Decision about an item, with its follow-ups. */
export interface Verdict {
  readonly pattern: string
  /** F1 … F11, `clause 1` … `clause 7`, `contradiction`, or the cause of a deferral: `changing`, `lagging`. */
  readonly row: string
  readonly outcome: Outcome
  readonly because: string
  readonly followUps: readonly FollowUp[]
  /** Present if and only if `resolve` is among the follow-ups. */
  readonly class?: ResolutionClass
}

/**
 * The verdict of a check: a total function of its arguments. Content that could not be read (`failed`) is a failed
 * attempt and has no verdict; here it is a deferral.
 */
export const verdict = (
  heard: Witnesses,
  attempt: Attempt,
  policy: { readonly replica: boolean },
): Verdict => {
  const witnesses = joined(heard)
  const pattern = patternOf(witnesses)
  if (witnesses.content.status === 'changing' || witnesses.content.status === 'failed')
    return deferred(pattern, 'changing', 'The content did not hold still while it was read.')
  if (witnesses.index.status === 'lagging')
    return deferred(
      pattern,
      'lagging',
      `The index stands at ${witnesses.index.behind} and needs to reach ${witnesses.index.needed}.`,
    )
  const { audit } = witnesses
  const found = unlessDisputed(
    unlessContradictory(
      findingOf(pattern, audit.status === 'recorded' && audit.checksums.length === 0),
      audit.status === 'recorded' ? contradictions(audit) : [],
    ),
    disputed(heard),
  )
  const how = found.outcome === 'failure' ? howChanged(witnesses) : undefined
  const finding = how === undefined ? found : { ...found, because: `${found.because} ${how}` }
  return finding.lag && attempt !== 'last' ? retry(pattern, finding) : final(pattern, finding, policy.replica)
}

/** Describes what sizes show about bytes that are not as recorded. */
const howChanged = ({ content, audit }: Witnesses): string | undefined => {
  if (content.status !== 'read' || audit.status !== 'recorded' || audit.size === undefined) return undefined
  if (compare(content, audit) !== 'differ') return undefined
  const [now, before] = [content.size, audit.size]
  const recorded = `${plural(before, 'byte')} ${before === 1 ? 'was' : 'were'} recorded`
  if (now === before) return 'The file has as many bytes as recorded, and not the same ones.'
  if (now === 0) return `The file is empty; ${recorded}.`
  return now < before
    ? `The file was cut to ${count(now)}; ${recorded}.`
    : `The file has grown to ${count(now)}; ${recorded}.`
}

/** A record with two values of one algorithm is wrong in one of them, even if all else agrees. */
const unlessContradictory = (finding: Finding, algorithms: readonly string[]): Finding =>
  algorithms.length === 0 || finding.outcome === 'failure'
    ? finding
    : {
        row: 'contradiction',
        outcome: 'unverified',
        lag: false,
        settler: 'manual',
        mending: [],
        because: `The record has two values of ${algorithms.join(' and ')}; find out which of them is right.`,
      }

/**
 * F6 if the observer's value differs from our own record. That value may be late, so there is a lag; after that one of
 * the two is out of sync, and neither corrects anything. The finding from our record alone is added to the text.
 */
const unlessDisputed = (finding: Finding, records: ReturnType<typeof disputed>): Finding => {
  if (records.length === 0) return finding
  const those = records.map((record) => `The ${record} as the observer found it is not as we recorded it.`)
  const also = finding.outcome === 'failure' ? [`By our record: ${finding.because}`] : []
  return {
    row: 'F6',
    outcome: 'failure',
    lag: true,
    settler: 'internal',
    mending: [],
    because: [...those, ...also].join(' '),
  }
}

const deferred = (pattern: string, row: string, because: string): Verdict => ({
  pattern,
  row,
  outcome: 'deferred',
  because,
  followUps: [],
})

const retry = (pattern: string, { row, because }: Finding): Verdict => ({
  pattern,
  row,
  outcome: 'retry',
  because: `${because} A record may be on its way: it is looked at again first.`,
  followUps: [],
})

const final = (pattern: string, finding: Finding, replica: boolean): Verdict => ({
  pattern,
  row: finding.row,
  outcome: finding.outcome,
  because: finding.because,
  followUps: finding.settler ? ['resolve', ...finding.mending] : finding.mending,
  ...(finding.settler && { class: classOf(finding.settler, replica) }),
})

const classOf = (settler: Settler, replica: boolean): ResolutionClass => {
  if (settler !== 'replica') return settler
  return replica ? 'internal' : 'external'
}
