import { type Either, left, right } from 'fp-ts/lib/Either.js'
import type { TopicSpec } from '../domain/kernel/message.ts'
import { type System, topicsOf } from '../system/system.ts'
import { didYouMean } from './closest.ts'
import { type CliFailure, refused } from './output/exit-codes.ts'

export const findTopic = (system: System, name: string): Either<CliFailure, TopicSpec> => {
  const topics = topicsOf(system.workflows)
  const topic = topics.find((one) => one.name === name)
  if (topic) return right(topic)
  const names = topics.map((one) => one.name)
  return left(refused(`there is no topic ${name}`, didYouMean(name, names)))
}
