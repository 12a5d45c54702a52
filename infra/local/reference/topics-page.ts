import { eventTopicsOf } from '../../../src/app/event-topics.ts'
import type { TopicSpec } from '../../../src/domain/kernel/message.ts'
import { topicsOf, type WorkflowModel } from '../../../src/workflows/workflow-model.ts'
import { code, table } from './table.ts'

const sectionOf = ({ name, description, madeBy, messages, keyOf }: TopicSpec): string => {
  const hasPersonal = messages.some(({ personal }) => personal)
  const rows = messages.map(({ type, description: sentence, personal = [] }) => [
    code(type),
    sentence,
    ...(hasPersonal ? [personal.map(code).join(', ')] : []),
  ])
  const examples = messages.map(
    ({ type, codec, example }) =>
      `\`${type}\`, key \`${keyOf(example)}\`:\n\n\`\`\`json\n${JSON.stringify(codec.encode(example), null, 2)}\n\`\`\``,
  )
  return `## ${name}

${description}${madeBy === 'fonds' ? ' Fonds alone writes it.' : ''}

${table(['message', 'description', ...(hasPersonal ? ['[personal](../erasing.md)'] : [])], rows)}

${examples.join('\n\n')}`
}

/** Topics with their messages, and an example of each. */
export const topicsPage = (workflows: readonly WorkflowModel[]): string => {
  const topics = topicsOf(workflows)
  const relayed = eventTopicsOf(workflows).map(({ name, workflow, categories }) => [
    code(name),
    `[${workflow}](events.md#${workflow})`,
    categories.map(code).join(', '),
  ])
  const listed = topics.map(({ name, description }) => [
    `[${name}](#${name.replaceAll('.', '')})`,
    description,
  ])
  return `# Topics

A message is a CloudEvent. Its key orders messages: one key, one partition. \`bin/fonds schema <topic>\` prints the JSON Schema of each message,
\`bin/fonds schema --asyncapi\` the AsyncAPI document of all topics. [The life of a message](life-of-a-message.md) says what becomes of one.

${table(['topic', 'description'], listed)}

The relay copies events to these topics, for [other systems](../guides/relay.md):

${table(['topic', 'events of', 'categories'], relayed)}

${topics.map(sectionOf).join('\n\n')}
`
}
