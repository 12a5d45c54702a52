import type { TopicSpec } from '../kernel/message.ts'
import { clipsTopic, episodesTopic } from './curation-messages.ts'
import { researchersTopic } from './researcher-messages.ts'
import { resultsTopic } from './result-messages.ts'
import { workItemsTopic } from './work-item.ts'

/** What comes in, and the one that Fonds writes. */
export const topics: readonly TopicSpec[] = [
  episodesTopic,
  clipsTopic,
  resultsTopic,
  researchersTopic,
  workItemsTopic,
]
