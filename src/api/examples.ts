import type { Workflow } from '../workflows/workflow.ts'

/** Names that stand as examples in the OpenAPI document: those of the first workflow that takes messages. */
export const examplesFrom = (workflows: readonly Workflow[]) => {
  const workflow = workflows.find(({ topics }) => topics.length > 0)
  return {
    topic: workflow?.topics[0]?.name,
    view: workflow?.projections[0]?.views[0]?.name,
    category: workflow?.eventSets[0]?.category,
    stream: workflow?.streamsOf('main')[0],
  }
}
