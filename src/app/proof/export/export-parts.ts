import type { Policy, Verifier } from '@fonds/tlog'
import type { EventStore } from '../../../ports/event-store.ts'
import type { ProofLog } from '../../../ports/proof-log.ts'

export interface ExportParts {
  readonly eventStore: Pick<EventStore, 'readStored' | 'readAll' | 'read' | 'metadata'>
  readonly files: Pick<ProofLog, 'folder' | 'tile'>
  /** The signed head up to which is exported. */
  readonly head: string
  /** Public keys of the archive's tree. */
  readonly verifiers: readonly Verifier[]
  /** Whom the archive's own proofs name. */
  readonly witnesses?: Policy | undefined
  /** Texts of the programs that check an export, by the names of their files. */
  readonly programs: Readonly<Record<string, string>>
  /** ISO 8601. */
  readonly now: string
}
