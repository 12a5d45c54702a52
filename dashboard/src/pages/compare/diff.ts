import type { paths } from '../../api/schema.ts'

export type Diff = paths['/api/v1/views/{view}/diff']['get']['responses'][200]['content']['application/json']
export type Change = Diff['changes'][number]

export interface Between {
  readonly since: string
  /** Absent: now. */
  readonly until: string | undefined
}

export const diffQuery = ({ since, until }: Between, limit: number) => ({
  from: since,
  limit,
  ...(until !== undefined && { to: until }),
})
