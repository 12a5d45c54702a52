import { type Checksum, normalise } from './checksum.ts'
import type { Observe } from './commands.ts'
import { defined } from './defined.ts'
import type { Evidence, FixityEvent, FollowUp } from './events.ts'
import { itemId } from './item.ts'
import { lateFirstReading } from './late-first-reading.ts'
import { type ItemState, isClosedOn, isEnded } from './state.ts'
import type { Verdict } from './verdict.ts'
import { digests, joined } from './witness.ts'

/**
 * Returns a verdict's follow-ups: their kinds, and the events beside the decision. An open finding is not opened again,
 * nor one that a person ended, as long as the observation is the same. Findings are closed once the witnesses agree. A
 * finding from reading the bytes is closed only by reading them again.
 */
export const followUps = (
  verdict: Verdict,
  evidence: Evidence,
  command: Observe,
  state: ItemState,
): { readonly kinds: readonly FollowUp[]; readonly events: readonly FixityEvent[] } => {
  const { row } = verdict
  const isKnown =
    state.open.some((open) => open.row === row && open.class === verdict.class) ||
    (verdict.class !== undefined && isEnded(state, evidence))
  const kinds = verdict.followUps.filter((kind) => kind !== 'resolve' || !isKnown)
  const isBare = kinds.includes('supplement-audit')
  const firstRead = lateFirstReading(evidence)
  const follow = (kind: FollowUp): FixityEvent[] => {
    switch (kind) {
      case 'resolve':
        return opened(verdict, command, state, evidence)
      case 'correct-index':
        if (!isBare) return correctedFromAudit(evidence, command.at)
        return firstRead
          ? correctedFromReading(evidence, firstRead, command.at)
          : correctedFromStorage(evidence, command.at)
      case 'supplement-audit': {
        const data = firstRead
          ? { checksums: [...firstRead], from: 'content' as const }
          : { checksums: confirmedClaims(evidence), from: 'storage' as const }
        return [{ type: 'AuditSupplemented', data: { ...data, at: command.at } }]
      }
      case 'remove-index':
        return [{ type: 'IndexEntryRemoved', data: { at: command.at } }]
      case 're-audit':
        return [{ type: 'ReauditRequested', data: { row, at: command.at } }]
    }
  }
  return { kinds, events: [...kinds.flatMap(follow), ...verified(verdict, command, state)] }
}

const opened = (
  verdict: Verdict,
  { item, at }: Observe,
  state: ItemState,
  evidence: Evidence,
): FixityEvent[] => {
  if (!verdict.class) return []
  const { row, because } = verdict
  const { run, closed } = state
  const summary =
    closed && isClosedOn(state, evidence)
      ? `${because} The same was found before: ${closed.resolution} was closed as ${closed.how}.`
      : because
  const data = { resolution: `${itemId(item)}#${run}`, class: verdict.class, row, summary, at }
  return [{ type: 'ResolutionOpened', data }]
}

const correctedFromAudit = (evidence: Evidence, at: string): FixityEvent[] => {
  const { audit } = joined(evidence)
  return audit.status === 'recorded'
    ? [
        {
          type: 'IndexCorrected',
          data: { checksums: [...audit.checksums], from: 'audit', at, ...defined({ size: audit.size }) },
        },
      ]
    : []
}

/** Our own index is a copy of the audit log, which the first reading supplements. */
const correctedFromReading = (
  { content }: Evidence,
  checksums: readonly Checksum[],
  at: string,
): FixityEvent[] => {
  const size = content.status === 'read' ? content.size : undefined
  return [
    {
      type: 'IndexCorrected',
      data: { checksums: [...checksums], from: 'audit', at, ...defined({ size }) },
    },
  ]
}

const correctedFromStorage = (evidence: Evidence, at: string): FixityEvent[] => {
  const size = evidence.storage.status === 'present' ? evidence.storage.size : undefined
  return [
    {
      type: 'IndexCorrected',
      data: { checksums: confirmedClaims(evidence), from: 'storage', at, ...defined({ size }) },
    },
  ]
}

/** Returns the storage's claims that the bytes confirm. */
const confirmedClaims = ({ content, storage }: Evidence): Checksum[] => {
  if (content.status !== 'read' || storage.status !== 'present') return []
  const read = digests(content)
  return storage.checksums
    .map(normalise)
    .filter((claim) => claim !== undefined)
    .filter((claim) => read.some((own) => own.algorithm === claim.algorithm && own.value === claim.value))
}

const verified = (verdict: Verdict, { at }: Observe, { open }: ItemState): FixityEvent[] => {
  if (verdict.outcome !== 'success' && verdict.outcome !== 'nothing') return []
  const unread = verdict.pattern.startsWith('n')
  const { because: reason } = verdict
  return open
    .filter((finding) => finding.unread || !unread)
    .map(({ resolution }) => ({
      type: 'ResolutionClosed',
      data: { resolution, how: 'verified', reason, at },
    }))
}
