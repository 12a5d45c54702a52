import { SubMenu } from '../../parts/sub-menu.tsx'

const entries = [
  ['/matching', 'Search'],
  ['/matching/attention', 'What to look at'],
  ['/matching/compare', 'Side by side'],
  ['/matching/generations', 'Generations'],
  ['/matching/add', 'Add records'],
] as const

/** What there is to see of matching. */
export const MatchingMenu = () => <SubMenu label="Matching" entries={entries} />
