import { SubMenu } from '../../parts/sub-menu.tsx'

const entries = [
  ['/log', 'Events'],
  ['/log/topics', 'Topics'],
  ['/log/groups', 'Consumer groups'],
  ['/log/dead-letters', 'Dead letters'],
  ['/log/projections', 'Projections'],
  ['/log/nodes', 'Nodes'],
  ['/log/settings', 'Settings'],
  ['/log/checks', 'Checks'],
  ['/log/metrics', 'Metrics'],
] as const

export const LogMenu = () => <SubMenu label="Of the log" entries={entries} />
