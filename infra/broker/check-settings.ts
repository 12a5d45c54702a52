import type { TopicSettings } from '../../src/ports/broker.ts'

/** Settings come from the program, not from people: wrong ones are a bug and throw. */
export const checkSettings = ({ name, partitions, retentionMillis }: TopicSettings): void => {
  if (!/^[A-Za-z0-9._-]{1,249}$/.test(name))
    throw new RangeError(
      `topic "${name}": a name has 1 to 249 letters, digits, dots, dashes or underscores; rename it`,
    )
  if (!Number.isSafeInteger(partitions) || partitions < 1)
    throw new RangeError(`topic ${name}: partitions is ${partitions}; give a whole number from 1`)
  if (retentionMillis !== undefined && !(Number.isSafeInteger(retentionMillis) && retentionMillis >= 0))
    throw new RangeError(
      `topic ${name}: retentionMillis is ${retentionMillis}; give a whole number from 0, or leave it out`,
    )
}

export const checkBatchSize = (group: string, batchSize: number): void => {
  if (!Number.isSafeInteger(batchSize) || batchSize < 1)
    throw new RangeError(`group ${group}: batchSize is ${batchSize}; give a whole number from 1`)
}
