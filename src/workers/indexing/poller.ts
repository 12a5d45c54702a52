import { hostname } from 'node:os'
import type { Logger } from 'pino'
import { errorMessage } from '../../async/errors.ts'
import { SECOND } from '../../domain/kernel/time.ts'
import type { ContentStore } from '../../ports/content-store.ts'
import { createHttpClient } from '../http/http-client.ts'
import { pollPlaces } from '../runtime/poll-places.ts'
import type { RunningWorker } from '../runtime/worker.ts'
import { type ListVersion, listSource } from './listing/list-source.ts'
import { type PollTools, pollSource } from './poll-source.ts'
import { parseSources, type Source } from './sources.ts'

export interface PollerContext extends Omit<PollTools, 'source' | 'signal' | 'onSkipped' | 'policy'> {
  readonly config: {
    readonly indexingSources?: string
    readonly indexingPollSeconds: number
    readonly stallSeconds: number
  }
  readonly log: Logger
  /** Opens the content of a bucket. */
  readonly openContent: (root: string) => ContentStore
}

/**
 * Polls all sources on a schedule (W6), and a source that is new within seconds. Any number may run: sightings by two of
 * them are one fact.
 */
export const startPoller = (context: PollerContext, policy: PollTools['policy']): RunningWorker => {
  const { config, clock, log, openContent } = context
  const name = `poller@${hostname()}/${process.pid}`
  // A setting of the log: it changes while this runs.
  const sources = () => parseSources(config.indexingSources ?? '') ?? []
  /** Sources that were polled since they were named: a new one is polled at once. */
  let polled: ReadonlySet<string> = new Set()
  const client = createHttpClient({ stallMillis: config.stallSeconds * SECOND })
  const versions = new Map<string, ListVersion>()
  /** Entries that were logged: each is logged once, not at each poll. */
  const logged = new Set<string>()

  const poll = async (source: Source, signal: AbortSignal): Promise<void> => {
    const { repository, location } = source
    const named = new Set(sources().map(nameOf))
    polled = new Set([...polled, nameOf(source)].filter((one) => named.has(one)))
    const known = versions.get(location)
    const onVersion = (version: ListVersion) => void versions.set(location, version)
    const list = listSource(location, { client, signal, known, onVersion, openContent })
    const onSkipped = (what: string, reason: string) => {
      if (!logged.has(what))
        log.warn({ repository, what }, `a list names a file that cannot be indexed: ${reason}`)
      logged.add(what)
    }
    try {
      const polled = await pollSource(repository, list, {
        ...context,
        policy,
        source: `fonds://${name}`,
        signal,
        onSkipped,
      })
      log.debug({ repository, ...polled }, 'a list was read')
    } catch (error) {
      if (signal.aborted) return
      // Messages already sent are valid; the rest is sent at the next poll, which needs the whole list.
      versions.delete(location)
      log.error(
        { repository, location },
        `cannot read a list; retrying at the next poll: ${errorMessage(error)}`,
      )
    }
  }

  return pollPlaces({
    name,
    places: sources,
    seconds: () => config.indexingPollSeconds,
    clock,
    poll,
    isDue: (source) => !polled.has(nameOf(source)),
    close: client.close,
  })
}

const nameOf = ({ repository, location }: Source): string => `${repository}=${location}`
