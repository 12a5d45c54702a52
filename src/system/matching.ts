import { workDecider } from '../domain/matching/decide.ts'
import { generationsDecider } from '../domain/matching/generations/decide.ts'
import { category as graphCategory, graphEvents } from '../domain/matching/graph/events.ts'
import { mergedDecider } from '../domain/matching/merged/decide.ts'
import { mergedStream } from '../domain/matching/merged/events.ts'
import { topics } from '../domain/matching/messages.ts'
import { workStream } from '../domain/matching/work.ts'
import { graphSender } from '../processors/matching/graph-sender.ts'
import { matcher } from '../processors/matching/matcher.ts'
import { mergedSender } from '../processors/matching/merged-sender.ts'
import { largeMerger, merger } from '../processors/matching/merger.ts'
import { matchingCommands } from '../processors/matching/operator-commands.ts'
import { worksProcessor } from '../processors/matching/works-processor.ts'
import { matching } from '../projections/matching/projection.ts'
import { oldestWaiting } from '../projections/matching/stuck.ts'
import type { Workflow } from './system.ts'

/** Matching, from its topics to its views: the parts are in their rooms, here they are joined. */
export const matchingWorkflow: Workflow = {
  name: 'matching',
  description: 'Joins catalogue records into graphs by their links, and each graph into one work.',
  topics,
  eventSets: [
    { category: workDecider.category, events: workDecider.events },
    { category: graphCategory, events: graphEvents },
    { category: mergedDecider.category, events: mergedDecider.events },
    { category: generationsDecider.category, events: generationsDecider.events },
  ],
  projections: [matching],
  commands: matchingCommands,
  workers: [],
  processors: (system) => [worksProcessor(system.clock), merger(system), largeMerger(system)],
  reactions: () => [],
  followers: (system) => [matcher(system), graphSender(system), mergedSender(system)],
  overdue: () => [],
  waiting: ({ viewStore }) => {
    if (!viewStore.shape('matching-works')) return []
    const { work, graph } = oldestWaiting(viewStore)
    return [
      { queue: 'matcher', oldest: work, parked: 0 },
      { queue: 'merger', oldest: graph, parked: 0 },
    ]
  },
  streamsOf: (id) => [workStream(id), mergedStream(id)],
}
