import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, expect, it, onTestFinished } from 'vitest'
import { freed, freePort } from '#infra/local/kafka/free-port.ts'
import { versitygw } from '#infra/local/s3/programs.ts'
import type { LocalS3 } from '#infra/local/s3/server.ts'
import { startVersitygw } from '#infra/local/s3/versitygw.ts'
import { s3Calls } from '../../fakes/s3-calls.ts'

const isAbsent = versitygw() === undefined
if (isAbsent)
  process.stderr.write('\n!!! SKIPPED the local S3 server: versitygw is not installed (.ci/judges)\n')

const place = async () => {
  const folder = mkdtempSync(join(tmpdir(), 'fonds-local-s3-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
  return { folder, port: await freePort(), buckets: ['archive'] }
}

const callsTo = ({ endpoint, keys }: LocalS3) => {
  const calls = s3Calls(endpoint, keys)
  onTestFinished(() => calls.close())
  return calls
}

describe.skipIf(isAbsent)('the local S3 server', () => {
  it('has its buckets, and stands again where it was, after an end in order and after a kill', async () => {
    const server = await startVersitygw(await place())
    onTestFinished(() => server.kill())
    const calls = callsTo(server)
    expect(await calls.call('PUT', '/archive/kept', { body: 'kept' })).toMatchObject({ status: 200 })
    for (const end of [server.kill, server.stop]) {
      await end()
      await server.start()
      expect((await calls.call('GET', '/archive/kept')).body.toString()).toBe('kept')
    }
  })

  it('is open to nobody without its keys', async () => {
    const server = await startVersitygw(await place())
    onTestFinished(() => server.stop())
    const others = s3Calls(server.endpoint, { accessKeyId: 'fonds-local', secretAccessKey: 'other' })
    onTestFinished(() => others.close())
    expect(await others.call('GET', '/archive', { query: { 'list-type': '2' } })).toMatchObject({
      status: 403,
    })
  })

  it('tells that something else has its port, rather than taking that for itself', async () => {
    const { folder, port } = await place()
    const server = await startVersitygw({ folder, port })
    onTestFinished(() => server.stop())
    await expect(startVersitygw({ ...(await place()), port })).rejects.toThrow(
      `something else listens on 127.0.0.1:${port}`,
    )
  })

  it('does not outlive the process that started it, not even one that is killed', async () => {
    const { folder, port } = await place()
    const script = `import { startVersitygw } from '#infra/local/s3/versitygw.ts'
      await startVersitygw(${JSON.stringify({ folder, port })})
      process.kill(process.pid, 'SIGKILL')`
    const flags = ['--disable-warning=ExperimentalWarning', '--input-type=module-typescript', '-e', script]
    const starter = spawn(process.execPath, flags, { stdio: ['ignore', 'ignore', 'pipe'] })
    const [[, signal], errors] = await Promise.all([once(starter, 'exit'), text(starter.stderr)])
    expect(signal, errors).toBe('SIGKILL')
    await freed(port, 20_000)
  })
})
