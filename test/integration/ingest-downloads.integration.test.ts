import { createHash, randomBytes } from 'node:crypto'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { freePort } from '../../infra/local/kafka/free-port.ts'
import { submitFile } from '../e2e/ingest/submitting.ts'
import { startServer, until, useFolder } from '../e2e/run-fonds.ts'
import { ask } from '../e2e/run-here.ts'
import { nginxIsAbsent, useNginx } from './nginx.ts'

/* Downloads from a server that is not ours. */

const megabyte = 1024 ** 2

it.skipIf(nginxIsAbsent)(
  'a large file whose server is killed in the midst, twice, is resumed where it broke off, and has the right bytes',
  async () => {
    const { folder, home, root } = useFolder()
    const film = join(root, 'film.bin')
    writeFileSync(film, randomBytes(24 * megabyte))
    const digest = createHash('sha256').update(readFileSync(film)).digest('hex')
    const port = await freePort()
    const log = join(folder, 'access.log')
    const nginx = useNginx(
      port,
      `log_format ranges '$request_method $status $http_range'; access_log ${log} ranges;`,
    )
    const serve = (limit = '') => nginx.start(`location / { root ${root}; ${limit} }`)
    // So slow that it does not come to its end before it is killed.
    const slowly = 'limit_rate 2m;'
    let running = serve(slowly)
    const { address } = await startServer({ home, env: { FONDS_INGEST_HOSTS: '127.0.0.1' } })
    const url = `http://127.0.0.1:${port}/film.bin`
    await until('nginx answers', () =>
      fetch(url, { method: 'HEAD' }).then(
        ({ ok }) => ok,
        () => false,
      ),
    )
    const batch = await submitFile(address, { url, digest: { algorithm: 'sha-256', value: digest } })

    for (const [megabytes, next] of [
      [3, slowly],
      [6, ''],
    ] as const) {
      await until(
        `${megabytes} MiB are there`,
        () => bytesIn(join(home, 'ingest-work')) > megabytes * megabyte,
      )
      running.child.kill('SIGKILL')
      await running.exit
      running = serve(next)
    }

    const [job] = await until('the job has ended', async () => {
      const jobs = await ask(['query', 'ingest-jobs', '--columns', 'batch,ark,state,message,bytes'], { home })
      return jobs.every(({ state }) => state === 'completed' || state === 'failed') && jobs.length > 0 && jobs
    })
    expect(job).toMatchObject({ batch, state: 'completed' })
    const stored = readdirSync(join(home, 'storage'), { recursive: true, encoding: 'utf8' })
    const place = stored.find((path) => path.endsWith('v1/content/producer/film.bin'))
    const bytes = readFileSync(join(home, 'storage', place!))
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(digest)
    const asked = readFileSync(log, 'utf8')
      .split('\n')
      .filter((line) => line.startsWith('GET'))
    // nginx tells of what it answered to the end: of the last one, which was a part.
    expect(asked.at(-1)).toMatch(/^GET 206 bytes=[1-9]\d*-/)
  },
)

/** Of all files below. */
const bytesIn = (folder: string): number => {
  try {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .map((path) => statSync(join(folder, path)))
      .reduce((sum, found) => sum + (found.isFile() ? found.size : 0), 0)
  } catch {
    // It is not there yet, or was moved meanwhile.
    return 0
  }
}
