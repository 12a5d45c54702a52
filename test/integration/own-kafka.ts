import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { startKafka } from '../../infra/local/kafka/kafka.ts'
import { useFolder } from '../e2e/run-fonds.ts'
import { requiredIn } from './discovery.ts'

/** For `server.properties`. */
type Properties = Readonly<Record<string, string>>

/**
 * A Kafka of the test's own, since the one that all tests share must not be restarted. Where this machine cannot have
 * one, the test is skipped with a loud line, or fails where Kafka is required.
 */
export const useKafka = async (skip: (why: string) => never, properties: Properties = {}) => {
  const folder = join(useFolder().folder, 'kafka')
  const kafka = await startKafka({ folder, properties }).catch((error: Error) => {
    if (requiredIn(process.env).includes('kafka')) throw error
    console.warn(`\n!!! SKIPPED: ${error.message}\n`)
    return skip(error.message)
  })
  onTestFinished(() => kafka.stop())
  return kafka
}
