/** Drawn for a square of 16. */
const paths = {
  arrow: 'M3 8h10M9.5 4.5 13 8l-3.5 3.5',
  clock: 'M8 2.3a5.7 5.7 0 1 0 0 11.4A5.7 5.7 0 0 0 8 2.3M8 4.8V8l2.2 1.5',
  compare: 'M2.5 3h4v10h-4zM9.5 3h4v10h-4zM11.5 6v4',
  find: 'M7 2.7a4.3 4.3 0 1 0 0 8.6 4.3 4.3 0 0 0 0-8.6m3.3 7.6 3.2 3.2',
  fixity: 'M3 2.5h10v11H3zM5.5 8l2 2 3.5-4',
  home: 'M2.5 7.5 8 3l5.5 4.5V13h-4V9.5h-3V13h-4z',
  indexing:
    'M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2M2 8h12M8 2c2 1.8 2.6 3.8 2.6 6S10 12.2 8 14C6 12.2 5.4 10.2 5.4 8S6 3.8 8 2z',
  ingest: 'M8 2v7.5M5 6.8l3 3 3-3M2.5 9.5v4h11v-4',
  left: 'M9.5 4.5 6 8l3.5 3.5',
  log: 'M2.5 4h11M2.5 8h11M2.5 12h7',
  matching:
    'M5.6 5.3l4.8 5.4M5.7 4h4.6M4 5.7v4.6M2.3 4a1.7 1.7 0 1 0 3.4 0 1.7 1.7 0 1 0-3.4 0m8 0a1.7 1.7 0 1 0 3.4 0 1.7 1.7 0 1 0-3.4 0m-8 8a1.7 1.7 0 1 0 3.4 0 1.7 1.7 0 1 0-3.4 0m8 0a1.7 1.7 0 1 0 3.4 0 1.7 1.7 0 1 0-3.4 0',
  more: 'M3.5 8h.01M8 8h.01M12.5 8h.01',
  proof:
    'M8 3.7v2.8M4 9.5v-3h8v3M7 2.7a1 1 0 1 0 2 0 1 1 0 1 0-2 0M2.5 11a1.5 1.5 0 1 0 3 0 1.5 1.5 0 1 0-3 0m8 0a1.5 1.5 0 1 0 3 0 1.5 1.5 0 1 0-3 0',
  research: 'M2 8h1M4.7 5.5v5M7 3v10M9.3 5v6M11.6 6.5v3M13.5 8h.5',
  right: 'm6.5 4.5 3.5 3.5-3.5 3.5',
  run: 'M3 4.5 6.5 8 3 11.5M8.5 12H13',
  system: 'M2.5 3h11v4h-11zM2.5 9h11v4h-11zM5 5h.01M5 11h.01',
} as const

export type IconName = keyof typeof paths

/** A word always stands beside it, or in the name of its button. */
export const Icon = ({ of }: { readonly of: IconName }) => (
  <svg class="i" viewBox="0 0 16 16" aria-hidden="true">
    <path d={paths[of]} />
  </svg>
)
