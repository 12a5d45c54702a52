import { UnavailableError } from '../../async/unavailable.ts'
import { jobs } from '../../domain/ingest/views.ts'
import { isBucketAddress } from '../../domain/kernel/bucket-address.ts'
import { is, rowsIfFolded } from '../../domain/kernel/read-views.ts'
import { variableOf } from '../../domain/kernel/setting.ts'
import { SECOND } from '../../domain/kernel/time.ts'
import { adoptedRoot, refusalSoFar } from '../../processors/ingest/storage-guard.ts'
import { leaderLeaseOf } from '../../processors/runtime/leader-lease-of.ts'
import { storageLease } from '../../processors/runtime/lock-by-log.ts'
import { dropAddresses } from '../../workers/ingest/drops/drop-places.ts'
import { bucketFindings } from '../bucket-findings.ts'
import { type Finding, fail, ok, warn } from '../finding.ts'
import { innerHosts, ledInside, mostRead, type Reason } from '../inner-hosts.ts'
import type { WorkflowContext } from '../workflow-context.ts'
import { type IngestContext, ingestContext } from './context.ts'
import type { IngestConfig } from './settings.ts'

const hosts = variableOf('ingestHosts')

export const ingestChecks = async (context: WorkflowContext<IngestConfig>): Promise<readonly Finding[]> => [
  ...forTestsAlone(context.config),
  ...(await storageRoot(ingestContext(context))),
  ...(await storageBucket(ingestContext(context))),
  ...(await dropPrefixes(ingestContext(context))),
  ...(await innerHosts(hosts, context.config.ingestHosts)),
  ...ledInside(hosts, 'job', messagesOfJobs(context.viewStore)),
]

/** Warns of settings that only tests use (ingest N14). */
const forTestsAlone = ({ ingestFailFolder }: IngestConfig): readonly Finding[] =>
  ingestFailFolder === undefined
    ? []
    : [
        warn(
          'settings',
          `${variableOf('ingestFailFolder')} is set: files in ${ingestFailFolder} make steps of ingest fail`,
          'unset it, unless this is a test stack',
        ),
      ]

export const messagesOfJobs = (viewStore: WorkflowContext['viewStore']): readonly Reason[] =>
  rowsIfFolded(viewStore, jobs, {
    where: [is('state', 'failed')],
    orderBy: [{ column: 'lastModified', descending: true }],
    limit: mostRead,
  }).map(({ message }) => message)

const patienceMillis = 10 * SECOND

/** Returns what the storage's bucket lets this process do; nothing for a storage in a folder. */
const storageBucket = async ({
  config,
  inspectBucket,
  eventStore,
}: IngestContext): Promise<readonly Finding[]> => {
  const address = config.ingestStorage
  if (!isBucketAddress(address)) return []
  const inspection = await inspectBucket(address, AbortSignal.timeout(patienceMillis))
  return [
    ...bucketFindings('the storage of ingest', address, inspection, { isWritten: true }),
    ...(await guardFinding(address, eventStore)),
  ]
}

/** Says that writers take turns by the log, once one of them found that the server keeps no conditions. */
const guardFinding = async (
  address: string,
  eventStore: IngestContext['eventStore'],
): Promise<readonly Finding[]> => {
  try {
    const { lastFence } = await leaderLeaseOf({ eventStore }, storageLease(address))
    if (lastFence === 0) return []
  } catch (error) {
    if (error instanceof UnavailableError) return []
    throw error
  }
  return [
    warn(
      'bucket',
      `the storage of ingest: ${address} is guarded by this log, as its server kept no If-None-Match or If-Match when it was first written`,
      'let no process of another log, and no other program, write to it: nothing would stop them from overwriting each other',
    ),
  ]
}

/** Returns what the prefixes where things are dropped let this process do. */
const dropPrefixes = async ({ config, inspectBucket }: IngestContext): Promise<readonly Finding[]> => {
  const found: Finding[] = []
  for (const address of dropAddresses(config.ingestDrops)) {
    const inspection = await inspectBucket(address, AbortSignal.timeout(patienceMillis))
    found.push(...bucketFindings('dropped submissions', address, inspection))
  }
  return found
}

/**
 * Checks whether the storage root in the settings is the archive's. Returns nothing for an archive that has none yet,
 * nor while the log, which knows it, cannot be read: that has findings of its own.
 */
const storageRoot = async (context: IngestContext): Promise<readonly Finding[]> => {
  try {
    const adopted = await adoptedRoot(context)
    if (!adopted) return []
    const refusal = await refusalSoFar(context)
    return refusal === undefined
      ? [ok('storage', `${adopted.root}, the archive's storage root, is there`)]
      : [fail('storage', refusal, 'nothing is taken in here before')]
  } catch (error) {
    if (error instanceof UnavailableError) return []
    throw error
  }
}
