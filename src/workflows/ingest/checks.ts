import { jobs } from '../../domain/ingest/views.ts'
import { is, rowsIfFolded } from '../../domain/kernel/read-views.ts'
import { variableOf } from '../../domain/kernel/setting.ts'
import { type Finding, warn } from '../finding.ts'
import { innerHosts, ledInside, mostRead, type Reason } from '../inner-hosts.ts'
import type { WorkflowContext } from '../workflow-context.ts'
import { ingestContext } from './context.ts'
import type { IngestConfig } from './settings.ts'
import { storageRoot } from './storage-check.ts'

const hosts = variableOf('ingestHosts')

export const ingestChecks = async (context: WorkflowContext<IngestConfig>): Promise<readonly Finding[]> => [
  ...forTestsAlone(context.config),
  ...(await storageRoot(ingestContext(context))),
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
