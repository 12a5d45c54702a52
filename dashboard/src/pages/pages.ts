import type { FunctionComponent } from 'preact'
import type { PageProps } from '../shell/lazy.tsx'

interface PageEntry {
  /** Its path, with names as in `/log/streams/:stream`. */
  readonly pattern: string
  readonly title: string
  /** In the menu; absent: it is reached from other pages. */
  readonly name?: string
  readonly load: () => Promise<{ readonly default: FunctionComponent<PageProps> }>
}

/** All pages, in the order of the menu. A page is a folder here, and a line in this list. */
export const pages: readonly PageEntry[] = [
  { pattern: '/', title: 'Home', name: 'Home', load: () => import('./home/home.tsx') },
  { pattern: '/fixity', title: 'Fixity', name: 'Fixity', load: () => import('./fixity/fixity.tsx') },
  { pattern: '/fixity/folders', title: 'Folders', load: () => import('./fixity/folders.tsx') },
  { pattern: '/fixity/item', title: 'An item', load: () => import('./fixity/item.tsx') },
  {
    pattern: '/fixity/certificate',
    title: 'Fixity certificate',
    load: () => import('./fixity/certificate.tsx'),
  },
  { pattern: '/fixity/period', title: 'Fixity of a period', load: () => import('./fixity/period.tsx') },
  {
    pattern: '/indexing',
    title: 'Indexing',
    name: 'Indexing',
    load: () => import('./indexing/indexing.tsx'),
  },
  { pattern: '/indexing/files', title: 'Archive files', load: () => import('./indexing/files.tsx') },
  {
    pattern: '/indexing/files/:repository/:name',
    title: 'An archive file',
    load: () => import('./indexing/file.tsx'),
  },
  { pattern: '/indexing/captures', title: 'Captures', load: () => import('./indexing/captures.tsx') },
  { pattern: '/indexing/holdings', title: 'Holdings', load: () => import('./indexing/holdings.tsx') },
  { pattern: '/matching', title: 'Matching', name: 'Matching', load: () => import('./matching/search.tsx') },
  { pattern: '/matching/graphs/:work', title: 'A graph', load: () => import('./matching/graph.tsx') },
  {
    pattern: '/matching/attention',
    title: 'What to look at',
    load: () => import('./matching/attention.tsx'),
  },
  {
    pattern: '/matching/generations',
    title: 'Generations',
    load: () => import('./matching/generations.tsx'),
  },
  {
    pattern: '/research',
    title: 'Research',
    name: 'Research',
    load: () => import('./research/research.tsx'),
  },
  { pattern: '/research/episodes', title: 'Episodes', load: () => import('./research/episodes.tsx') },
  {
    pattern: '/research/episodes/:episode',
    title: 'An episode',
    load: () => import('./research/episode.tsx'),
  },
  { pattern: '/research/clips', title: 'Clips', load: () => import('./research/clips.tsx') },
  { pattern: '/research/findings', title: 'Findings', load: () => import('./research/findings.tsx') },
  { pattern: '/ingest', title: 'Ingest', name: 'Ingest', load: () => import('./ingest/ingest.tsx') },
  { pattern: '/ingest/batches', title: 'Batches', load: () => import('./ingest/batches.tsx') },
  { pattern: '/ingest/batches/:batch', title: 'A batch', load: () => import('./ingest/batch.tsx') },
  { pattern: '/ingest/batches/:batch/report', title: 'A report', load: () => import('./ingest/report.tsx') },
  { pattern: '/ingest/jobs/:job', title: 'A job', load: () => import('./ingest/job.tsx') },
  { pattern: '/log', title: 'Log', name: 'Log', load: () => import('./log/log.tsx') },
  { pattern: '/log/events/:position', title: 'An event', load: () => import('./log/event.tsx') },
  { pattern: '/log/streams/:stream', title: 'A stream', load: () => import('./log/stream.tsx') },
  { pattern: '/log/topics', title: 'Topics', load: () => import('./log/topics.tsx') },
  { pattern: '/log/topics/:topic', title: 'A topic', load: () => import('./log/topic.tsx') },
  { pattern: '/log/groups', title: 'Consumer groups', load: () => import('./log/groups.tsx') },
  { pattern: '/log/dead-letters', title: 'Dead letters', load: () => import('./log/dead-letters.tsx') },
  { pattern: '/log/dead-letters/:id', title: 'A dead letter', load: () => import('./log/dead-letter.tsx') },
  { pattern: '/log/projections', title: 'Projections', load: () => import('./log/projections.tsx') },
  { pattern: '/log/nodes', title: 'Nodes', load: () => import('./log/nodes.tsx') },
  { pattern: '/log/settings', title: 'Settings', load: () => import('./log/settings.tsx') },
  { pattern: '/log/metrics', title: 'Metrics', load: () => import('./log/metrics.tsx') },
  { pattern: '/things/:id', title: 'History of a thing', load: () => import('./thing/thing.tsx') },
  { pattern: '/compare', title: 'Two moments compared', load: () => import('./compare/compare.tsx') },
  { pattern: '/do', title: 'Commands', name: 'Commands', load: () => import('./commands/commands.tsx') },
  { pattern: '/do/:command', title: 'A command', load: () => import('./commands/command.tsx') },
]
