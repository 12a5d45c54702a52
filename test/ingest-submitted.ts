import { isLeft } from 'fp-ts/lib/Either.js'
import { messageOf, readTopic } from '#src/app/read-topic.ts'
import type { System } from '#src/app/system.ts'
import { submissionsTopic } from '#src/domain/ingest/messages.ts'
import type { MessagesOf } from '#src/domain/kernel/message.ts'

type Submitted = MessagesOf<typeof submissionsTopic>['data']

/** What stands on the topic of submissions, in the order in which it was submitted. */
export const submitted = async ({ broker }: Pick<System, 'broker'>) => {
  const page = await readTopic(broker, submissionsTopic.name, 'start', 100)
  if (isLeft(page)) throw new Error('the topic cannot be read')
  const messages = page.right.records.map((record) => messageOf(record).value as Submitted)
  return messages.sort((one, other) => (one.batch < other.batch ? -1 : 1))
}
