import './fixity.css'
import { SubMenu } from '../../parts/sub-menu.tsx'

const entries = [
  ['/fixity', 'Stores and findings'],
  ['/fixity/folders', 'Folders'],
  ['/fixity/period', 'A period'],
  ['/fixity/reports', 'Reports'],
] as const

export const FixityMenu = () => <SubMenu label="Of fixity" entries={entries} />
