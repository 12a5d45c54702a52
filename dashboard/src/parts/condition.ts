/** How something is, by the shape that stands for it. */
export type Condition =
  | 'well'
  | 'wrong'
  | 'needs somebody'
  | 'under way'
  | 'held'
  | 'stopped'
  | 'away'
  | 'idle'
  | 'not known'
