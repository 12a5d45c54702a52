/*
 * Asks the Fonds of this container how it is: `node lib/infra/container/probe.js /healthz` (or /readyz). Exit code 0: well; 1: not,
 * with what it said.
 */
import { fetch } from 'undici'

const url = `http://127.0.0.1:${process.env.FONDS_PORT || 7070}${process.argv[2] ?? '/healthz'}`
try {
  const answer = await fetch(url)
  process.stdout.write(`${await answer.text()}\n`)
  process.exitCode = answer.ok ? 0 : 1
} catch (error) {
  process.stdout.write(`${url}: ${(error as Error).cause ?? error}\n`)
  process.exitCode = 1
}
