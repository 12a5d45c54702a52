import { asFirstReading, type Checksum } from './checksum.ts'
import type { Evidence } from './events.ts'
import { firstReading } from './upcasts.ts'
import type { Verdict } from './verdict.ts'

/*
 * `fixity add` records content that no manifest names by reading it. Archived content gives no bytes then, so its record
 * has no checksum. The first check that reads it makes up for that.
 */

/** Source of the index in the evidence, if it is our own. */
export const ownIndex = 'own index'

/** Digests of the first reading of content that was recorded without one; undefined if there is nothing to make up for. */
export const lateFirstReading = ({ content, audit }: Evidence): readonly Checksum[] | undefined =>
  content.status === 'read' &&
  content.checksums.length > 0 &&
  audit.status === 'recorded' &&
  audit.checksums.length === 0 &&
  audit.source === firstReading
    ? asFirstReading(content.checksums)
    : undefined

/**
 * Makes the reading the record, where nothing speaks against it: the storage's claim agrees, or cannot be compared. It stays unverified until the next check compares it.
 */
export const withFirstReading = (verdict: Verdict, evidence: Evidence): Verdict =>
  verdict.outcome === 'unverified' && isUndisputed(verdict.pattern) && lateFirstReading(evidence)
    ? {
        ...verdict,
        because: 'It was read for the first time, and that is its record now: the next check compares it.',
        // An outside index that cannot be compared is neither confirmed nor corrected.
        followUps:
          evidence.index.source === ownIndex ? ['correct-index', 'supplement-audit'] : ['supplement-audit'],
      }
    : verdict

const isUndisputed = (pattern: string): boolean => /^A[A?][-?]\?$/.test(pattern)
