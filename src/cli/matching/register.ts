import type { FollowUp } from '../do/run-short.ts'
import { reindexed } from './reindex.ts'

/** By the operator's command that they follow. */
export const followUps: Readonly<Record<string, FollowUp>> = { 'matching.reindex': reindexed }
