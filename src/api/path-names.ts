import { Text } from '../domain/kernel/codecs.ts'
import type { Workflow } from '../workflows/workflow.ts'
import { examplesFrom } from './examples.ts'

/* Views and topics as paths name them. */

export const viewInPath = (workflows: readonly Workflow[]) => inPath('view', examplesFrom(workflows).view)

export const topicInPath = (workflows: readonly Workflow[]) => inPath('topic', examplesFrom(workflows).topic)

const inPath = <const Name extends string>(name: Name, example: string | undefined) =>
  ({ name, in: 'path', description: 'Its name.', codec: Text, example }) as const

export const noSuchView = {
  status: 404,
  code: 'no-such-view',
  description: 'No view has that name.',
} as const

export const noSuchTopic = {
  status: 404,
  code: 'no-such-topic',
  description: 'No topic has that name.',
} as const
