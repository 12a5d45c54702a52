import type { WorkflowModel } from '../../../src/workflows/workflow-model.ts'
import { code, table } from './table.ts'

type EventSets = WorkflowModel['eventSets']

const sectionOf = ({ category, events }: EventSets[number]): string => {
  const rows = [...events.specs.values()].map(({ type, description, schema }) => [
    code(type),
    `${schema}`,
    description,
  ])
  return `### ${category}\n\n${table(['event', 'schema', 'description'], rows)}`
}

const ofWorkflow = ({ name, description, eventSets }: WorkflowModel): string =>
  `## ${name}\n\n${description}\n\n${eventSets.map(sectionOf).join('\n\n')}`

/** Event types by workflow and category. */
export const eventsPage = (workflows: readonly WorkflowModel[]): string => `# Events

An event is in one stream, \`<category>-<id>\`, and is never changed. \`schema\` is the number of its shape today; older shapes stay readable.
\`bin/fonds events --type <event>\` lists events of a type, \`bin/fonds schema fonds.<workflow>.events\` prints their JSON Schemas.

${workflows
  .filter(({ eventSets }) => eventSets.length > 0)
  .map(ofWorkflow)
  .join('\n\n')}
`
