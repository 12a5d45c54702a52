import { workEvents } from '#src/domain/matching/events.ts'
import { generationEvents } from '#src/domain/matching/generations/events.ts'
import { graphEvents } from '#src/domain/matching/graph/events.ts'
import { mergedEvents } from '#src/domain/matching/merged/events.ts'
import { topics } from '#src/domain/matching/messages.ts'
import { Source, WorkId } from '#src/domain/matching/work.ts'
import { describeSchemas } from '../../contracts/schema-agreement.ts'

/* What a schema cannot say of a work id or a source: that its Unicode is valid. */
describeSchemas(
  'matching',
  topics,
  [workEvents, graphEvents, mergedEvents, generationEvents],
  [WorkId, Source],
)
