import { SubMenu } from '../../parts/sub-menu.tsx'

const entries = [
  ['/research', 'Progress'],
  ['/research/episodes', 'Episodes'],
  ['/research/clips', 'Clips'],
  ['/research/findings', 'Findings'],
  ['/research/add', 'Add programmes'],
] as const

export const ResearchMenu = () => <SubMenu label="Of research" entries={entries} />
