import type { BrokerRecord } from '../../src/ports/broker.ts'

/** A handler may commit from the first record of its batch (nothing finished) to behind the last. Else it has a bug. */
export const checkNext = (next: bigint, records: readonly BrokerRecord[]): void => {
  const { topic, partition, offset: first } = records[0]!
  const end = records.at(-1)!.offset + 1n
  if (next < first || next > end)
    throw new RangeError(
      `${topic}-${partition}: the handler asked to commit offset ${next} after a batch of ${first} to ${end - 1n}; valid are ${first} to ${end}`,
    )
}
