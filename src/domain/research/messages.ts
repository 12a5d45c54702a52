import type { TopicSpec } from '../kernel/message.ts'
import { clipsTopic, episodesTopic } from './curation-messages.ts'
import { researchersTopic } from './researcher-messages.ts'
import { resultsTopic } from './result-messages.ts'
import { workItemsTopic } from './work-item.ts'

/** The topics that Fonds reads, and the one that it writes. */
export const topics: readonly TopicSpec[] = [
  episodesTopic,
  clipsTopic,
  resultsTopic,
  researchersTopic,
  workItemsTopic,
]
