import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { type Admin, Kafka, logLevel } from 'kafkajs'
import { describe, expect, it, onTestFinished } from 'vitest'
import { classPath } from '#infra/local/kafka/artifacts.ts'
import { freed, freePort } from '#infra/local/kafka/free-port.ts'
import { startKafka } from '#infra/local/kafka/kafka.ts'

const jars = await classPath(() => undefined).catch((error: Error) => error)
if (jars instanceof Error) process.stderr.write(`\n!!! SKIPPED the local Kafka: ${jars.message}\n`)

const place = async () => {
  const folder = mkdtempSync(join(tmpdir(), 'fonds-local-kafka-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
  return { folder, port: await freePort() }
}

const administered = async <T>(address: string, use: (admin: Admin) => Promise<T>): Promise<T> => {
  const admin = new Kafka({ brokers: [address], logLevel: logLevel.NOTHING }).admin()
  await admin.connect()
  return use(admin).finally(() => admin.disconnect())
}

describe.skipIf(jars instanceof Error)('the local Kafka', () => {
  it('stands again where it was, after an end in order and after a kill', async () => {
    const kafka = await startKafka(await place())
    onTestFinished(() => kafka.kill())
    await administered(kafka.address, (admin) => admin.createTopics({ topics: [{ topic: 'kept' }] }))
    for (const end of [kafka.kill, kafka.stop]) {
      await end()
      await freed(Number(kafka.address.split(':')[1]))
      await kafka.start()
      expect(await administered(kafka.address, (admin) => admin.listTopics())).toContain('kept')
    }
  })

  it('says that something else has its port, rather than taking that for itself', async () => {
    const { folder, port } = await place()
    const kafka = await startKafka({ folder, port })
    onTestFinished(() => kafka.kill())
    await expect(startKafka({ ...(await place()), port })).rejects.toThrow(
      `something else listens on 127.0.0.1:${port}`,
    )
  })

  it('says why Kafka itself would not start', async () => {
    const jvm = ['-XX:NoSuchFlag=1']
    await expect(startKafka({ ...(await place()), jvm })).rejects.toThrow('NoSuchFlag')
  })

  it('does not outlive the process that started it, not even one that is killed', async () => {
    const { folder, port } = await place()
    const script = `import { startKafka } from '#infra/local/kafka/kafka.ts'
      await startKafka(${JSON.stringify({ folder, port })})
      process.kill(process.pid, 'SIGKILL')`
    const flags = ['--disable-warning=ExperimentalWarning', '--disable-warning=TimeoutNegativeWarning']
    const starter = spawn(process.execPath, [...flags, '--input-type=module-typescript', '-e', script], {
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    const [[, signal], said] = await Promise.all([once(starter, 'exit'), text(starter.stderr)])
    expect(signal, said).toBe('SIGKILL')
    await freed(port, 20_000)
  })
})
