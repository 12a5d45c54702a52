import { workEvents } from '../../domain/matching/events.ts'
import {
  generationEvents,
  category as generationsCategory,
} from '../../domain/matching/generations/events.ts'
import { category as graphCategory, graphEvents } from '../../domain/matching/graph/events.ts'
import {
  category as mergedCategory,
  mergedEvents,
  mergedStream,
} from '../../domain/matching/merged/events.ts'
import { topics } from '../../domain/matching/messages.ts'
import {
  category as verdictCategory,
  verdictEvents,
  verdictStream,
} from '../../domain/matching/verdicts/events.ts'
import { category, workStream } from '../../domain/matching/work.ts'
import { matchingActivity } from '../../projections/matching/activity.ts'
import { matching } from '../../projections/matching/projection.ts'
import type { WorkflowModel } from '../workflow-model.ts'

export const matchingModel: WorkflowModel = {
  name: 'matching',
  description: 'Joins catalogue records into graphs by their links, and each graph into one work.',
  topics,
  eventSets: [
    { category, events: workEvents },
    { category: graphCategory, events: graphEvents },
    { category: mergedCategory, events: mergedEvents },
    { category: generationsCategory, events: generationEvents },
    { category: verdictCategory, events: verdictEvents },
  ],
  projections: [matching],
  activity: matchingActivity,
  finders: async () => (await import('../../projections/matching/finders.ts')).matchingFinders,
  premis: async () => (await import('./premis.ts')).matchingPremis,
  streamsOf: (id) => [workStream(id), mergedStream(id), verdictStream(id)],
}
