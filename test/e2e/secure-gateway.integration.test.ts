import { expect, it } from 'vitest'
import { tlsFiles } from '../fixtures/tls/files.ts'
import { linesOf, run, start, stop, until, useFolder } from './run-fonds.ts'

const token = 'open: sesame, open/@'

const serve = async () => {
  const { home } = useFolder()
  const env = {
    FONDS_TLS_CERT_FILE: tlsFiles.server.cert,
    FONDS_TLS_KEY_FILE: tlsFiles.server.key,
    FONDS_TOKEN: token,
    FONDS_PORT: '0',
  }
  const keeper = start(['start', '--gateway', '0'], { home, env })
  const [, port] = await keeper.says(/protocol on port (\d+)/)
  const address = (secret: string, ca = tlsFiles.authority) =>
    `esdb://fonds${secret && `:${encodeURIComponent(secret)}`}@127.0.0.1:${port}?tls=true&tlsCAFile=${ca}`
  return { keeper, home, env, port: port!, address }
}

it('another node keeps its log there, over TLS and with the token as password', async () => {
  const { keeper, home, env, address } = await serve()
  const given = { home: useFolder().home, env: { FONDS_EVENT_STORE: address(token) } }
  const node = start(['start', '--port', '0'], given)
  await node.says(/Fonds is at/)
  const registered = await run(
    ['do', 'fixity.register-store', '--actor', 'me', '--reason', 'test', 'store=far', 'kind=external'],
    given,
  )
  expect(registered.stderr).not.toContain('error')
  const kept = await until('the event is in the log of the other', async () =>
    linesOf(await run(['events'], { home, env })).find(({ type }) => /Store/.test(type)),
  )
  expect(kept).toMatchObject({ stream: 'fixityStore-far', data: { kind: 'external' } })
  const doctor = await run(['doctor'], given)
  expect(doctor.code, doctor.stdout).toBe(0)
  expect(linesOf(doctor).find(({ check }) => check === 'event store')).toMatchObject({
    status: 'ok',
    says: expect.stringMatching(/^esdb:.* answers within \d+ ms, at position \d+$/),
  })
  expect(doctor.stdout + doctor.stderr).not.toContain('sesame')
  expect(await stop(node)).toBe(0)
  expect(node.stderr()).not.toMatch(/Warning|"level":/)
  expect(await stop(keeper)).toBe(0)
  expect(keeper.stderr() + node.stderr()).not.toContain('sesame')
})

it('nobody else gets in, and is told why', async () => {
  const { address, port } = await serve()
  for (const [eventStore, says] of [
    [address('guess'), 'denied access'],
    [`esdb://127.0.0.1:${port}?tlsCAFile=${tlsFiles.authority}`, 'denied access'],
    [address(token, tlsFiles.stranger), 'tlsCAFile'],
    [`esdb://127.0.0.1:${port}?tls=false`, 'tls=false'],
  ] as const) {
    const ran = await run(['events'], { home: useFolder().home, env: { FONDS_EVENT_STORE: eventStore } })
    expect(ran).toMatchObject({ code: 3, stdout: '', stderr: expect.stringContaining(says) })
    expect(ran.stderr).not.toMatch(/sesame|guess|^\s+at /m)
  }
})
