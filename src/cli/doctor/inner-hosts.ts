import type { Config } from '../../app/config/settings.ts'
import type { System } from '../../app/system.ts'
import { withTimeout } from '../../async/with-timeout.ts'
import { files } from '../../domain/indexing/views.ts'
import { jobs } from '../../domain/ingest/views.ts'
import { is, isSet, rowsIfFolded } from '../../domain/kernel/read-views.ts'
import { clips, episodes } from '../../domain/research/views.ts'
import { parseHosts } from '../../workers/http/hosts.ts'
import { leadsInside, noPublicAddress } from '../../workers/http/inner-addresses.ts'
import { plural } from '../output/text.ts'
import { type Finding, ok, warn } from './finding.ts'

const check = 'inner hosts'
const lookupMillis = 2000

/** Which hosts of inner networks may be reached by what strangers named, and what was refused since it leads to one. */
export const innerHosts = async ({
  config,
  viewStore,
}: Pick<System, 'viewStore'> & { readonly config: Pick<Config, 'mediaHosts' | 'ingestHosts'> }): Promise<
  readonly Finding[]
> => [
  ...(await named('FONDS_INGEST_HOSTS', config.ingestHosts)),
  ...(await named('FONDS_MEDIA_HOSTS', config.mediaHosts)),
  ...refused('FONDS_INGEST_HOSTS', 'job', messagesOfJobs(viewStore)),
  ...refused('FONDS_INGEST_HOSTS', 'archive file', reasonsOfFiles(viewStore)),
  ...refused('FONDS_MEDIA_HOSTS', 'recording', errorsOfMedia(viewStore)),
]

const named = async (setting: string, hosts: string | undefined): Promise<readonly Finding[]> => {
  const byName = (parseHosts(hosts ?? '') ?? []).filter((host) => host !== '*' && !host.startsWith('.'))
  const looked = await Promise.all(
    byName.map(async (host) =>
      (await withTimeout(leadsInside(host), lookupMillis, () => false)) ? [host] : [],
    ),
  )
  const inside = looked.flat()
  return inside.length === 0
    ? []
    : [ok(check, `${setting} lets what comes over HTTP lead to ${inside.join(', ')}, not public`)]
}

type Reason = string | null | undefined

/** Of each view the newest: there can be a million. */
const mostRead = 1000

const messagesOfJobs = (viewStore: System['viewStore']): readonly Reason[] =>
  rowsIfFolded(viewStore, jobs, {
    where: [is('state', 'failed')],
    orderBy: [{ column: 'lastModified', descending: true }],
    limit: mostRead,
  }).map(({ message }) => message)

const reasonsOfFiles = (viewStore: System['viewStore']): readonly Reason[] =>
  rowsIfFolded(viewStore, files, {
    where: [is('state', 'parked')],
    orderBy: [{ column: 'date', descending: true }],
    limit: mostRead,
  }).map(({ because }) => because)

const errorsOfMedia = (viewStore: System['viewStore']): readonly Reason[] =>
  [episodes, clips].flatMap((view) =>
    rowsIfFolded(viewStore, view, {
      where: [isSet('parkedAt'), is('withdrawnAt', null)],
      orderBy: [{ column: 'parkedAt', descending: true }],
      limit: mostRead,
    }).map(({ error }) => error),
  )

const refused = (setting: string, noun: string, reasons: readonly Reason[]): readonly Finding[] => {
  const [first, ...others] = reasons.flatMap((reason) => (reason?.includes(noPublicAddress) ? [reason] : []))
  const atLeast = reasons.length < mostRead ? '' : 'at least '
  return first === undefined
    ? []
    : [
        warn(
          check,
          `${atLeast}${plural(others.length + 1, noun)} named over HTTP ${others.length === 0 ? 'leads' : 'lead'} to no public address: ${first}`,
          `if the host is yours, \`${setting}=*,<host>\` lets it be asked beside all public ones; then have it tried again`,
        ),
      ]
}
