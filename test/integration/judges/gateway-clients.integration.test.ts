import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Running, runGateway } from '../../infra/gateway/running-gateway.ts'
import { server } from '../servers.ts'

/*
 * The vendor's clients in four languages do the same at the gateway, each by a program of ours in `clients/`: it appends, reads,
 * follows, filters, deletes, and says what came of it.
 */

let running: Running
beforeAll(async () => {
  running = await runGateway()
})
afterAll(() => running.dispose())

const said = `appended 2
again conflict
read 0,1,2
back 2,1
beyond none
missing not found
subscribed 0,1,2,3
filtered 0,1,2,3
kept 2,3
deleted not found
revived 4
too large refused
tombstoned deleted
`

const program = (name: string): string => join(import.meta.dirname, 'clients', name)

/** The command, and its arguments before and behind the log's address and the name of a category of its own. */
type Command = readonly [command: string, before: readonly string[], behind?: readonly string[]]

const clients = {
  'esdb-python': (python: string): Command => [python, [program('client.py')]],
  'esdb-node': (modules: string): Command => [process.execPath, [program('client.mjs')], [modules]],
  'esdb-go': (client: string): Command => [client, []],
  'esdb-java': (jars: string): Command => ['java', ['-cp', join(jars, '*'), program('Client.java')]],
} as const

for (const name of ['esdb-python', 'esdb-node', 'esdb-go', 'esdb-java'] as const) {
  const found = server(name)
  describe.skipIf('absent' in found)(name, () => {
    it('appends, reads, follows, filters and deletes, and is told what it cannot do', async () => {
      const [command, before, behind = []] = clients[name]('address' in found ? found.address : '')
      const address = `esdb://${running.address}?tls=false`
      const category = name.replace('-', '')
      const { stdout } = await promisify(execFile)(command, [...before, address, category, ...behind])
      expect(stdout).toBe(said)
    })
  })
}
