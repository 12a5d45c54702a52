import { v4 as uuid } from 'uuid'
import { sealedBy } from '../../app/sealed-by.ts'
import type { System } from '../../app/system.ts'
import { orThrow } from '../../async/unavailable.ts'
import { probeRecord, probeStream } from '../../domain/kernel/bucket-probe.ts'
import type { BucketProbe, ProbeStep } from '../../ports/bucket-prober.ts'

/** Result of `fonds storage probe`. */
export interface ProbeSummary extends BucketProbe {
  readonly address: string
  /** Key of the object, below the prefix. */
  readonly key: string
  /** Ingest can have its storage root there: all that it needs was tried, and works. */
  readonly canStore: boolean
}

interface ProbeFlags {
  readonly actor: string
  readonly reason: string
  readonly signal: AbortSignal
}

/**
 * Everything that a storage root needs. Versions that cannot be deleted only take room; where conditions are not kept, the
 * log has writers take turns.
 */
export const isNeeded = (step: ProbeStep): boolean =>
  !['delete-versions', 'if-none-match', 'if-match'].includes(step)

/** Tries writing to `s3://bucket/prefix`, and records who wanted it, why, and what came of it. Throws `UnavailableError`. */
export const probe = async (
  system: System,
  address: string,
  { signal, ...by }: ProbeFlags,
): Promise<ProbeSummary> => {
  const { actor, reason } = await orThrow(sealedBy(system, by))
  const id = uuid()
  // Where a storage root has what is no object, so that it may be tried on one, too.
  const key = `extensions/fonds-probe/${id}`
  const record = (command: Parameters<typeof probeRecord.decide>[0], cause: string) =>
    orThrow(() =>
      system.execute(probeRecord, {
        stream: probeStream(id),
        command,
        causationId: cause,
        correlationId: id,
      }),
    )
  const at = system.clock.now()
  await record({ type: 'Request', actor, at, address, key, reason }, id)
  const text = `Written by \`fonds storage probe\` for ${actor} at ${at}: ${reason}\nIt may be deleted.\n`
  const { results, leftovers } = await system.probeBucket(address, { key, text, signal })
  const stepsThat = (outcome: 'yes' | 'no') =>
    results.filter(({ works }) => works === outcome).map(({ step }) => step)
  await record(
    {
      ...{ type: 'End', actor, at: system.clock.now() },
      ...{ works: stepsThat('yes'), fails: stepsThat('no'), leftovers: [...leftovers] },
    },
    `${id}/ended`,
  )
  const canStore = results.every(({ step, works }) => works === 'yes' || !isNeeded(step))
  return { address, key, canStore, results, leftovers }
}
