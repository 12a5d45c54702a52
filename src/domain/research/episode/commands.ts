import type { Command } from '../../kernel/decider.ts'
import type { CurationCommand } from '../curation-commands.ts'
import type { Policy } from '../policy/policy.ts'
import type { ClipResearchedMessage, ResearchFailedMessage } from '../result-messages.ts'
import type { Verdict } from '../terms.ts'

/** The assigner's choice. Rejected if a clip is researched, or under an active lease (F2). */
export interface Grant extends Command {
  readonly type: 'Grant'
  /** The settings in force. */
  readonly policy: Pick<Policy, 'leaseSeconds' | 'itemSeconds' | 'longestLeaseSeconds' | 'attempts'> & {
    readonly version: number
  }
  /** All or none: several leases on one episode cost one append. */
  readonly leases: readonly { readonly lease: string; readonly clips: readonly string[] }[]
}

/** A researcher, by the name that the log has from now on. */
export interface Researcher {
  readonly researcher: string
  /** Its name in events from before: what it took under that one is its own. */
  readonly formerly?: string | undefined
}

/** Rejected if the item is stale, taken by another, or its lease has ended. No effect if its holder takes it again. */
export interface Take extends Command, Researcher {
  readonly type: 'Take'
  readonly lease: string
}

/** `final` ends the lease; otherwise it is extended (L33, L36). */
export interface Report extends Command, Pick<Researcher, 'formerly'> {
  readonly type: 'Report'
  readonly result: Omit<ClipResearchedMessage, 'episode'>
}

export interface Fail extends Command {
  readonly type: 'Fail'
  readonly failure: Omit<ResearchFailedMessage, 'episode'>
  readonly policy: Pick<Policy, 'attempts' | 'backoffSeconds'>
}

/** Work continues, without a report yet (X6). */
export interface Extend extends Command, Researcher {
  readonly type: 'Extend'
  readonly lease: string
}

export interface Release extends Command, Researcher {
  readonly type: 'Release'
  readonly lease: string
  readonly reason?: string | undefined
}

export interface Revoke extends Command {
  readonly type: 'Revoke'
  readonly lease: string
  readonly reason: string
}

/** From the ticker, once a time has passed; no effect if it has not. */
export interface NotePassed extends Command {
  readonly type: 'NoteExpired' | 'NoteLapsed'
  readonly lease: string
}

export interface Retry extends Command {
  readonly type: 'Retry'
  readonly reason: string
}

export interface Reopen extends Command {
  readonly type: 'Reopen'
  readonly engines?: readonly string[] | undefined
  readonly clips?: readonly string[] | undefined
  readonly reason: string
  /** Time of the request: engines without a result by then are left out. */
  readonly doneBy?: string | undefined
}

/** A person's verdict on a place where a clip was found (X3). */
export interface Judge extends Command {
  readonly type: 'Judge'
  readonly clip: string
  /** Offset of the match. */
  readonly offset: number
  readonly verdict: Verdict
  readonly reason: string
}

export type EpisodeCommand =
  | CurationCommand
  | Grant
  | Take
  | Report
  | Fail
  | Extend
  | Release
  | Revoke
  | NotePassed
  | Retry
  | Reopen
  | Judge
