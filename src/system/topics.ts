import { isLeft } from 'fp-ts/lib/Either.js'
import { Away } from '../ports/away.ts'
import { type System, topicsOf } from './system.ts'

/** Makes the topics that are missing. */
export const ensureTopics = async ({ broker, config, workflows }: System): Promise<void> => {
  const wanted = topicsOf(workflows).map(({ name }) => ({ name, partitions: config.partitions }))
  const made = await broker.ensureTopics(wanted)()
  if (isLeft(made)) throw new Away(`the topics cannot be made: ${JSON.stringify(made.left)}`)
}
