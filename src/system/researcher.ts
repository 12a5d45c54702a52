import { join, resolve } from 'node:path'
import { SECOND } from '../domain/kernel/time.ts'
import { parseHosts } from '../workers/research/media/hosts.ts'
import { createRecordings } from '../workers/research/media/recordings.ts'
import { createSearcher } from '../workers/research/search/create-searcher.ts'
import { atHome } from './config.ts'
import type { Config } from './settings.ts'
import { startResearchers } from './start-researchers.ts'
import type { WorkerKind } from './system.ts'

/** Any number may run, in any number of processes; those of one home share what they have fetched. */
export const researcher: WorkerKind = {
  kind: 'researcher',
  description:
    'listens: takes work items, looks for their clips in the episode, reports each on the results topic',
  start: (system, options) => {
    const { config, clock } = system
    const { threads } = options
    const stallMillis = config.stallSeconds * SECOND
    const searcher = createSearcher({ threads, stallMillis })
    const recordings = createRecordings({
      folder: join(config.home, 'media'),
      rate: searcher.rate,
      mostCached: config.mediaCacheBytes,
      mostHeld: config.mediaDecodedBytes,
      threads,
      clock,
      stallMillis,
      ...foldersOf(config),
      ...hostsOf(config),
    })
    return startResearchers(system, options, { recordings, searcher, mediaTypes })
  },
}

/** What can be decoded. */
const mediaTypes = ['audio/mpeg', 'audio/wav', 'audio/flac', 'audio/ogg']

/** The setting is there but names no folder: then no file is opened. */
const foldersOf = ({ mediaFolders }: Config): { readonly folders?: readonly string[] } => {
  if (mediaFolders === undefined) return {}
  const named = mediaFolders.split(',').map((folder) => folder.trim())
  return { folders: named.filter((folder) => folder !== '').map((folder) => resolve(atHome(folder))) }
}

/** As with folders: a setting that names none allows none. */
const hostsOf = ({ mediaHosts }: Config): { readonly hosts?: readonly string[] } =>
  mediaHosts === undefined ? {} : { hosts: parseHosts(mediaHosts) ?? [] }
