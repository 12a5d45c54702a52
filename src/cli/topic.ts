import { type Either, left, right } from 'fp-ts/lib/Either.js'
import { eventTopicsOf } from '../app/event-topics.ts'
import type { Home } from '../app/system.ts'
import type { TopicSpec } from '../domain/kernel/message.ts'
import { topicsOf } from '../workflows/workflow-model.ts'
import { didYouMean } from './closest.ts'
import { type CliFailure, refused } from './output/exit-codes.ts'

/** A topic that takes messages from anybody. */
export const findTopic = (
  { workflows }: Pick<Home, 'workflows'>,
  name: string,
): Either<CliFailure, TopicSpec> => {
  const topics = topicsOf(workflows)
  const names = topics.filter(({ madeBy }) => madeBy !== 'fonds').map((one) => one.name)
  const topic = topics.find((one) => one.name === name)
  if (topic?.madeBy === 'fonds')
    return left(
      refused(
        `${name} is written by Fonds alone, from its own events; messages of others there would be refused`,
        `messages go to ${names.join(', ')}`,
      ),
    )
  if (topic) return right(topic)
  if (eventTopicsOf(workflows).some((one) => one.name === name))
    return left(
      refused(
        `${name} carries Fonds' own events for other systems; nobody else writes there`,
        `messages go to ${names.join(', ')}`,
      ),
    )
  return left(refused(`there is no topic ${name}`, didYouMean(name, names)))
}
