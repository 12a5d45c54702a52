import { setTimeout as wait } from 'node:timers/promises'
import { Kafka, logLevel } from 'kafkajs'

/** Resolves when a client can list topics and groups have their coordinator; false when `exited` first or too late. */
export const ready = async (
  address: string,
  exited: AbortSignal,
  withinMillis = 60_000,
): Promise<boolean> => {
  const kafka = new Kafka({ brokers: [address], logLevel: logLevel.NOTHING, retry: { retries: 0 } })
  const deadline = Date.now() + withinMillis
  while (!exited.aborted && Date.now() < deadline) {
    const admin = kafka.admin()
    try {
      await admin.connect()
      await admin.listTopics()
      // A group nobody has: the answer comes from the coordinator, and only once that has loaded its offsets.
      await admin.describeGroups(['fonds-is-it-ready'])
      return true
    } catch {
      // Not yet: it is still starting.
    } finally {
      await admin.disconnect().catch(() => undefined)
    }
    await wait(100)
  }
  return false
}
