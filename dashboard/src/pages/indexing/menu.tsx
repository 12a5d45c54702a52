import './indexing.css'
import { SubMenu } from '../../parts/sub-menu.tsx'

const entries = [
  ['/indexing', 'Overview'],
  ['/indexing/files', 'Files'],
  ['/indexing/captures', 'Captures'],
  ['/indexing/holdings', 'Holdings'],
  ['/indexing/sources', 'Sources'],
] as const

export const IndexingMenu = () => <SubMenu label="Of indexing" entries={entries} />
