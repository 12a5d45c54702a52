import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { ask, type Line, launch, stop, until, useFolder } from './run-fonds.ts'

/* SQLite's own writes fail, all of them: the process may not make a file longer (RLIMIT_FSIZE). */

const command = join(import.meta.dirname, '../../bin/fonds')
const limit = 4 * 1024 ** 2

const message = (path: string) => ({
  type: 'content.recorded',
  data: {
    store: 'main',
    path,
    recordedFrom: 'x'.repeat(20_000),
    checksums: [{ algorithm: 'md5', value: 'a'.repeat(32) }],
  },
})

const hasPrlimit = (() => {
  try {
    execFileSync('prlimit', ['--version'])
    return true
  } catch {
    return false
  }
})()

it.runIf(hasPrlimit)(
  'a file that may not grow is said; nothing that was acknowledged is lost, and work goes on by itself once it may',
  async () => {
    const { home } = useFolder()
    const args = ['start', '--port', '0', '--roles', 'processors,reactions,projections,api']
    const server = launch('prlimit', [`--fsize=${limit}:unlimited`, command, ...args], { FONDS_HOME: home })
    const [, found] = await server.says(/Fonds is at (http\S+)/)
    const address = found!.replace(/\/$/, '')
    const put = async (path: string) => {
      const response = await fetch(`${address}/api/v1/topics/fonds.fixity.content/messages`, {
        method: 'POST',
        headers: { 'content-type': 'application/x-ndjson' },
        body: JSON.stringify(message(path)),
      })
      const { detail } = (await response.json()) as Line
      return { status: response.status, detail: String(detail) }
    }
    const readiness = async () => {
      const response = await fetch(`${address}/readyz`)
      return { status: response.status, text: await response.text() }
    }
    const acknowledged: string[] = []
    // Where a message has no room left, one page may have some: it is filled until there is none.
    const full = await until('not a page can be written', async () => {
      const path = `item ${acknowledged.length}`
      const answer = await put(path)
      if (answer.status === 202) {
        acknowledged.push(path)
        return undefined
      }
      const { status, text } = await readiness()
      return text.includes('the event store takes no writes') && { answer, status }
    })
    expect(full).toMatchObject({
      answer: { status: 503, detail: expect.stringContaining('cannot be written') },
      status: 503,
    })

    execFileSync('prlimit', ['--pid', String(server.child.pid), '--fsize=unlimited:unlimited'])
    await until('it is ready by itself', async () => (await readiness()).status === 200)
    await until('it takes messages again', async () => (await put('after')).status === 202)
    const rows = await until('all that was acknowledged is in the view', async () => {
      const response = await fetch(`${address}/api/v1/views/fixity-items?limit=1000`)
      const { rows } = (await response.json()) as Line
      return rows?.length === acknowledged.length + 1 && rows
    })
    expect(rows.map(({ path }: Line) => path).toSorted()).toEqual([...acknowledged, 'after'].toSorted())
    expect(await stop(server)).toBe(0)
    const verdicts = await ask(['rebuild', '--all', '--verify'], { home })
    expect(verdicts.every(({ verdict }) => verdict === 'equal')).toBe(true)
  },
)
