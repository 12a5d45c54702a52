import type { FunctionComponent } from 'preact'
import { type Address, match } from '../address/address.ts'
import type { PageProps } from '../shell/lazy.tsx'

type Values = PageProps['values']

interface PageEntry {
  /** Its path, with names as in `/log/streams/:stream`. */
  readonly pattern: string
  /** What it is called: where it shows one thing, as that is. */
  readonly title: string | ((values: Values, query: URLSearchParams) => string)
  readonly load: () => Promise<{ readonly default: FunctionComponent<PageProps> }>
}

/** The last part of a path. */
const lastOf = (path: string | null): string => (path ?? '').split('/').findLast((part) => part !== '') ?? ''

/** All pages. A page is a folder here, and a line in this list; `shell/sections.ts` has the rail. */
export const pages: readonly PageEntry[] = [
  { pattern: '/', title: 'Home', load: () => import('./home/home.tsx') },
  { pattern: '/fixity', title: 'Fixity', load: () => import('./fixity/fixity.tsx') },
  {
    pattern: '/fixity/folders',
    title: (_, query) => lastOf(query.get('prefix')) || 'Folders',
    load: () => import('./fixity/folders.tsx'),
  },
  {
    pattern: '/fixity/item',
    title: (_, query) => lastOf(query.get('path')) || 'An item',
    load: () => import('./fixity/item.tsx'),
  },
  {
    pattern: '/fixity/certificate',
    title: (_, query) => `Certificate of ${lastOf(query.get('path'))}`,
    load: () => import('./fixity/certificate.tsx'),
  },
  { pattern: '/fixity/reports', title: 'Reports by mail', load: () => import('./fixity/schedules.tsx') },
  { pattern: '/fixity/period', title: 'Fixity of a period', load: () => import('./fixity/period.tsx') },
  {
    pattern: '/indexing',
    title: 'Indexing',
    load: () => import('./indexing/indexing.tsx'),
  },
  { pattern: '/indexing/files', title: 'Archive files', load: () => import('./indexing/files.tsx') },
  {
    pattern: '/indexing/files/:repository/:name',
    title: ({ name }) => lastOf(name ?? ''),
    load: () => import('./indexing/file.tsx'),
  },
  {
    pattern: '/indexing/captures',
    title: (_, query) => query.get('url') || 'Captures',
    load: () => import('./indexing/captures.tsx'),
  },
  { pattern: '/indexing/holdings', title: 'Holdings', load: () => import('./indexing/holdings.tsx') },
  { pattern: '/indexing/sources', title: 'Sources', load: () => import('./indexing/sources.tsx') },
  { pattern: '/matching/add', title: 'Add records', load: () => import('./matching/add.tsx') },
  { pattern: '/research/add', title: 'Add programmes', load: () => import('./research/add.tsx') },
  { pattern: '/matching', title: 'Matching', load: () => import('./matching/search.tsx') },
  {
    pattern: '/matching/graphs/:work',
    title: ({ work }) => `Graph of ${work}`,
    load: () => import('./matching/graph.tsx'),
  },
  {
    pattern: '/matching/attention',
    title: 'What to look at',
    load: () => import('./matching/attention.tsx'),
  },
  {
    pattern: '/matching/compare',
    title: 'Two records side by side',
    load: () => import('./matching/compare.tsx'),
  },
  {
    pattern: '/matching/generations',
    title: 'Generations',
    load: () => import('./matching/generations.tsx'),
  },
  {
    pattern: '/research',
    title: 'Research',
    load: () => import('./research/research.tsx'),
  },
  { pattern: '/research/episodes', title: 'Episodes', load: () => import('./research/episodes.tsx') },
  {
    pattern: '/research/episodes/:episode',
    title: ({ episode }) => `Episode ${episode}`,
    load: () => import('./research/episode.tsx'),
  },
  { pattern: '/research/clips', title: 'Clips', load: () => import('./research/clips.tsx') },
  { pattern: '/research/findings', title: 'Findings', load: () => import('./research/findings.tsx') },
  { pattern: '/ingest', title: 'Ingest', load: () => import('./ingest/ingest.tsx') },
  { pattern: '/ingest/batches', title: 'Batches', load: () => import('./ingest/batches.tsx') },
  {
    pattern: '/ingest/batches/:batch',
    title: ({ batch }) => `Batch ${batch}`,
    load: () => import('./ingest/batch.tsx'),
  },
  { pattern: '/ingest/batches/:batch/report', title: 'A report', load: () => import('./ingest/report.tsx') },
  { pattern: '/ingest/jobs/:job', title: ({ job }) => `Job ${job}`, load: () => import('./ingest/job.tsx') },
  { pattern: '/log', title: 'Log', load: () => import('./log/log.tsx') },
  {
    pattern: '/log/events/:position',
    title: ({ position }) => `Event ${position}`,
    load: () => import('./log/event.tsx'),
  },
  {
    pattern: '/log/streams/:stream',
    title: ({ stream }) => stream ?? '',
    load: () => import('./log/stream.tsx'),
  },
  { pattern: '/log/topics', title: 'Topics', load: () => import('./log/topics.tsx') },
  { pattern: '/log/topics/:topic', title: ({ topic }) => topic ?? '', load: () => import('./log/topic.tsx') },
  { pattern: '/log/groups', title: 'Consumer groups', load: () => import('./log/groups.tsx') },
  { pattern: '/log/dead-letters', title: 'Dead letters', load: () => import('./log/dead-letters.tsx') },
  {
    pattern: '/log/dead-letters/:id',
    title: ({ id }) => `Dead letter ${id}`,
    load: () => import('./log/dead-letter.tsx'),
  },
  { pattern: '/log/projections', title: 'Projections', load: () => import('./log/projections.tsx') },
  { pattern: '/log/nodes', title: 'Nodes', load: () => import('./log/nodes.tsx') },
  { pattern: '/log/checks', title: 'Checks', load: () => import('./log/checks.tsx') },
  { pattern: '/log/settings', title: 'Settings', load: () => import('./log/settings.tsx') },
  {
    pattern: '/log/settings/:setting',
    title: ({ setting }) => setting ?? '',
    load: () => import('./log/setting.tsx'),
  },
  { pattern: '/log/metrics', title: 'Metrics', load: () => import('./log/metrics.tsx') },
  { pattern: '/things/:id', title: ({ id }) => id ?? '', load: () => import('./thing/thing.tsx') },
  { pattern: '/proofs', title: 'Proof', load: () => import('./proof/proofs.tsx') },
  {
    pattern: '/proofs/event',
    title: (_, query) => `Proof of event ${query.get('position') ?? query.get('id') ?? ''}`,
    load: () => import('./proof/event.tsx'),
  },
  {
    pattern: '/proofs/things/:id',
    title: ({ id }) => `Prove ${id}`,
    load: () => import('./proof/thing.tsx'),
  },
  {
    pattern: '/proofs/captures/:file',
    title: ({ file }) => `Prove ${file}`,
    load: () => import('./proof/captures.tsx'),
  },
  { pattern: '/compare', title: 'Compare', load: () => import('./compare/compare.tsx') },
  { pattern: '/words', title: 'Words', load: () => import('./words/words.tsx') },
  { pattern: '/do', title: 'Commands', load: () => import('./commands/commands.tsx') },
  {
    pattern: '/do/:command',
    title: ({ command }) => command ?? '',
    load: () => import('./commands/command.tsx'),
  },
]

/** What the page at an address is called. */
export const titleOf = ({ path, query }: Address): string => {
  for (const { pattern, title } of pages) {
    const values = match(pattern, path)
    if (values) return typeof title === 'string' ? title : title(values, query)
  }
  return 'There is no such page'
}
