import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { freePort } from '../../infra/local/kafka/free-port.ts'
import { startServer, until, useFolder } from '../e2e/run-fonds.ts'
import { nginxIsAbsent, useNginx } from './nginx.ts'

/* nginx as docs/guides/sign-in.md has it, with the log-in that it would ask for decided. */

const secret = 'a secret of the proxy'

const guideLines = (): string => {
  const guide = readFileSync(join(import.meta.dirname, '../../docs/guides/sign-in.md'), 'utf8')
  const [, lines = ''] = /location \/ \{\n([^}]+)\}/.exec(guide) ?? []
  return lines
    .split('\n')
    .filter((line) => line.trim() !== '' && !/auth_request|error_page|proxy_pass/.test(line))
    .join('\n')
    .replace('"…"', `"${secret}"`)
}

const start = async () => {
  const { address, stderr } = await startServer({
    home: useFolder().home,
    env: {
      FONDS_PROXY_SECRET: secret,
      FONDS_SIGN_IN_READ: 'staff',
      FONDS_SIGN_IN_ADMINISTER: 'admins',
    },
  })
  const port = await freePort()
  const decided = 'set $user ada; set $mail ada@archive.example; set $groups staff;'
  // nginx leaves out names with underscores by itself, unless it is told to pass them on.
  useNginx(port, 'access_log off; underscores_in_headers on;').start(
    `location / { ${decided} proxy_pass ${address}; ${guideLines()} }`,
  )
  const proxy = `http://127.0.0.1:${port}`
  await until('nginx answers', async () => {
    const answer = await fetch(`${proxy}/healthz`).catch(() => undefined)
    return answer?.status === 200
  })
  return { address, proxy, stderr }
}

it.skipIf(nginxIsAbsent)('who signed in at nginx is who nginx says, whatever a client sends', async () => {
  const { address, proxy, stderr } = await start()
  const session = async (headers: Record<string, string> = {}) =>
    (await fetch(`${proxy}/session`, { headers })).json()
  const ada = {
    permission: 'read',
    person: { reference: 'proxy#ada', name: null, mail: 'ada@archive.example' },
  }
  expect(await session()).toMatchObject(ada)
  for (const smuggled of [
    { 'remote-user': 'root', 'REMOTE-GROUPS': 'admins', 'Remote-Name': 'Root' },
    { remote_user: 'root', remote_groups: 'admins', remote_Groups: 'admins' },
    { 'fonds-proxy-secret': 'another secret of it', fonds_proxy_secret: secret },
  ])
    expect(await session(smuggled), JSON.stringify(smuggled)).toMatchObject(ada)

  const straight = { 'remote-user': 'root', 'remote-groups': 'admins' }
  expect((await fetch(`${address}/session`, { headers: straight })).status).toBe(401)
  expect((await fetch(`${proxy}/`, { headers: { accept: 'text/html' } })).status).toBe(200)
  const body = JSON.stringify({ input: { setting: 'publicUrl' }, reason: 'x' })
  const write = { method: 'POST', body, headers: { 'content-type': 'application/json' } }
  expect((await fetch(`${proxy}/api/v1/commands/settings.unset`, write)).status).toBe(403)
  expect(stderr()).not.toContain(secret)
})
