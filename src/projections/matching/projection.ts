import { rejectedMessageEvents, category as rejectionCategory } from '../../domain/kernel/rejected-message.ts'
import { workEvents } from '../../domain/matching/events.ts'
import {
  generationEvents,
  category as generationsCategory,
} from '../../domain/matching/generations/events.ts'
import { category as graphCategory, graphEvents } from '../../domain/matching/graph/events.ts'
import { category as mergedCategory, mergedEvents } from '../../domain/matching/merged/events.ts'
import { category as verdictCategory, verdictEvents } from '../../domain/matching/verdicts/events.ts'
import { views } from '../../domain/matching/views.ts'
import { category as workCategory } from '../../domain/matching/work.ts'
import { projection } from '../runtime/projection.ts'
import { dropGeneration, listGeneration, startGeneration, switchGeneration } from './generation-rows.ts'
import { changeGraphs, membersOf } from './graph-change.ts'
import { indexDocument, indexGraph } from './merged-rows.ts'
import { recordRejection } from './rejection-rows.ts'
import { storage } from './storage.ts'
import { confirmGraph, confirmRecord, unconfirmGraph, unconfirmRecord } from './verdict-rows.ts'
import { describeWork, touchWork } from './work-rows.ts'

/** All views of matching in one fold, so that works, graphs and documents always show the same moment. */
export const matching = projection(
  {
    name: 'matching',
    version: 8,
    description: 'Works, links, graphs and their turns, merged works, refusals, generations and verdicts.',
    views,
    storage,
    weigh: (event) => (event.type === 'GraphChanged' ? 1 + membersOf(event.data) : 1),
  },
  (on) => [
    on(workCategory, workEvents, {
      WorkObserved: (data, event, tables) => describeWork(tables, event, data, 0),
      WorkCorrected: (data, event, tables) =>
        describeWork(tables, event, data, data.reason === undefined ? 1 : 0),
      WorkHandedOver: (_, event, tables) => touchWork(tables, event),
      ResendRequested: (_, event, tables) => touchWork(tables, event),
    }),
    on(graphCategory, graphEvents, {
      GraphChanged: (data, event, tables) => changeGraphs(tables, event, data),
      GraphListed: (data, event, tables) => listGeneration(tables, event, data),
    }),
    on(mergedCategory, mergedEvents, {
      WorkMerged: (data, event, tables) => indexDocument(tables, event, data),
      GraphMerged: (data, event, tables) => indexGraph(tables, event, data),
    }),
    on(generationsCategory, generationEvents, {
      GenerationStarted: (data, _, tables) => startGeneration(tables, data),
      GenerationSwitched: (data, _, tables) => switchGeneration(tables, data),
      GenerationDropped: (data, _, tables) => dropGeneration(tables, data),
    }),
    on(verdictCategory, verdictEvents, {
      GraphConfirmed: (data, event, tables) => confirmGraph(tables, event, data),
      GraphUnconfirmed: (_, event, tables) => unconfirmGraph(tables, event),
      RecordConfirmed: (data, event, tables) => confirmRecord(tables, event, data),
      RecordUnconfirmed: (_, event, tables) => unconfirmRecord(tables, event),
    }),
    on(rejectionCategory, rejectedMessageEvents, {
      MessageRejected: (data, event, tables) => recordRejection(tables, event, data),
    }),
  ],
)
