import { type Either, left, right } from 'fp-ts/lib/Either.js'
import type { TopicSpec } from '../domain/kernel/message.ts'
import { eventTopicsOf } from '../system/event-topics.ts'
import { type System, topicsOf } from '../system/system.ts'
import { didYouMean } from './closest.ts'
import { type CliFailure, refused } from './output/exit-codes.ts'

/** A topic that takes messages. */
export const findTopic = (system: System, name: string): Either<CliFailure, TopicSpec> => {
  const topics = topicsOf(system.workflows)
  const topic = topics.find((one) => one.name === name)
  if (topic) return right(topic)
  const names = topics.map((one) => one.name)
  if (eventTopicsOf(system.workflows).some((one) => one.name === name))
    return left(
      refused(
        `${name} is where Fonds puts its own events, for other systems to read; nobody else writes there`,
        `messages go to ${names.join(', ')}`,
      ),
    )
  return left(refused(`there is no topic ${name}`, didYouMean(name, names)))
}
