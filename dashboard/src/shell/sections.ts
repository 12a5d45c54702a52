import type { IconName } from '../parts/icon.tsx'

interface Section {
  readonly path: string
  readonly name: string
  readonly icon: IconName
  /** What it has of those that need a person: a workflow, or `messages` that could not be used. */
  readonly waits?: string
  /** Paths that belong to it, beside its own and those below it. */
  readonly also?: readonly string[]
}

/** The rail: where the parts of the archive are. */
export const groups: readonly { readonly title: string; readonly sections: readonly Section[] }[] = [
  { title: '', sections: [{ path: '/', name: 'Home', icon: 'home' }] },
  {
    title: 'Work',
    sections: [
      { path: '/fixity', name: 'Fixity', icon: 'fixity', waits: 'fixity' },
      { path: '/ingest', name: 'Ingest', icon: 'ingest', waits: 'ingest' },
      { path: '/indexing', name: 'Indexing', icon: 'indexing', waits: 'indexing' },
      { path: '/matching', name: 'Matching', icon: 'matching', waits: 'matching' },
      { path: '/research', name: 'Research', icon: 'research', waits: 'research' },
    ],
  },
  {
    title: 'Evidence',
    sections: [
      { path: '/log', name: 'Log', icon: 'log', also: ['/things'] },
      { path: '/compare', name: 'Compare', icon: 'compare' },
      { path: '/proofs', name: 'Proof', icon: 'proof' },
    ],
  },
  {
    title: 'Operate',
    sections: [
      { path: '/do', name: 'Commands', icon: 'run' },
      {
        path: '/log/nodes',
        name: 'System',
        icon: 'system',
        waits: 'messages',
        also: [
          '/log/topics',
          '/log/groups',
          '/log/dead-letters',
          '/log/projections',
          '/log/settings',
          '/log/checks',
          '/log/metrics',
        ],
      },
    ],
  },
]

const sections = groups.flatMap((group) => group.sections)

const isBelow = (path: string, base: string): boolean => path === base || path.startsWith(`${base}/`)

/** The part of the archive that a page belongs to: its own path that is the longest. */
export const sectionOf = (path: string): Section | undefined =>
  sections
    .flatMap((section) => [section.path, ...(section.also ?? [])].map((base) => ({ section, base })))
    .filter(({ base }) => isBelow(path, base))
    .toSorted((a, b) => b.base.length - a.base.length)[0]?.section
