import type { WorkflowModel } from '../workflows/workflow-model.ts'
import type { Home } from './system.ts'

export type NamesStreams = Pick<Home, 'personal'> & {
  readonly config: Pick<Home['config'], 'personalValues'>
  readonly workflows: readonly WorkflowModel[]
}

/** Streams of what people call so; a stream may have a reference in the place of the name. Throws `UnavailableError`. */
export const streamsNamed = async (
  home: NamesStreams,
  ...ids: readonly string[]
): Promise<readonly string[]> => {
  const references = home.config.personalValues === 'off' ? [] : await referencesAmong(home, ids)
  const all = [...ids, ...references]
  return [...new Set(all.flatMap((id) => home.workflows.flatMap((workflow) => workflow.streamsOf(id))))]
}

const referencesAmong = async (home: NamesStreams, ids: readonly string[]): Promise<readonly string[]> => {
  const { referencesOf } = await import('./by-reference.ts')
  return [...(await referencesOf(home, ids)).values()]
}
