import { expect, it } from 'vitest'
import { routesOf } from '#src/api/create-api.ts'
import { contradictionsIn, neededFor } from '#src/app/documents/route-spec.ts'
import { allows, permissionOf, permissions } from '#src/domain/kernel/permission.ts'
import { commandsOf } from '#src/workflows/workflow.ts'
import { testSystem } from '../app/archive.ts'
import { startServer } from './server.ts'

const specs = async () => (await routesOf(await testSystem())).map(({ spec }) => spec)
const isWrite = ({ method }: { readonly method: string }) => method !== 'get'

it('every route and every command has a permission; what writes says it by itself', async () => {
  const routes = await specs()
  expect(routes.length).toBeGreaterThan(100)
  expect(contradictionsIn(routes)).toEqual([])
  for (const { operationId, ...route } of routes.filter(isWrite))
    expect(neededFor(route), operationId).toMatch(/^(open|operate|administer)$/)
  const commands = commandsOf((await testSystem()).workflows)
  const paths = routes.map(({ path }) => path)
  expect(
    commands.map(({ name }) => `/api/v1/commands/${name}`).filter((path) => !paths.includes(path)),
  ).toEqual([])
})

it('a route that writes and says none is found', () => {
  const route = { method: 'post', path: '/x', operationId: 'x', summary: '', parameters: [] } as const
  const told = contradictionsIn([{ ...route, responses: { 200: { description: '' } }, problems: [] }])
  expect(told).toEqual(['post /x: says no permission, and is not open'])
})

it('only the way in and probes are open', async () => {
  const open = (await specs()).filter(({ open }) => open).map(({ method, path }) => `${method} ${path}`)
  expect(open.sort()).toEqual([
    'delete /session',
    'get /enter',
    'get /healthz',
    'get /readyz',
    'get /sign-in',
    'get /sign-in/return',
    'post /session',
  ])
})

it('changes of how Fonds works need more than the daily work', async () => {
  const needed = new Map((await specs()).map((spec) => [spec.operationId, neededFor(spec)]))
  expect(needed.get('settingsSet')).toBe('administer')
  expect(needed.get('startRebuild')).toBe('administer')
  expect(needed.get('produce')).toBe('administer')
  expect(needed.get('fixityCheck')).toBe('operate')
  expect(needed.get('submit')).toBe('operate')
  expect(needed.get('listViews')).toBe('read')
})

it('who may only read is refused by each route that writes, before it looks at anything', async () => {
  const [token, readToken] = ['correct horse battery', 'only looking at it']
  const { app } = await startServer({ settings: { token, readToken } })
  const writes = (await specs()).filter((spec) => isWrite(spec) && !spec.open)
  expect(writes.length).toBeGreaterThan(50)
  for (const { method, path } of writes) {
    const url = path.replace(/\{\w+\}/g, 'x')
    const headers = { authorization: `Bearer ${readToken}` }
    const answer = await app.inject({ method: method.toUpperCase() as 'POST', url, headers })
    expect([answer.statusCode, answer.json().code], `${method} ${path}`).toEqual([403, 'read-only'])
  }
})

it('who signed in and may only read is refused by each of them as well, and who may operate by some', async () => {
  const secret = 'a secret of the proxy'
  const { app } = await startServer({
    settings: { proxySecret: secret, signInRead: 'staff', signInOperate: 'archivists' },
  })
  const writes = (await specs()).filter((spec) => isWrite(spec) && !spec.open)
  for (const { method, path, permission } of writes) {
    const url = path.replace(/\{\w+\}/g, 'x')
    const refusedTo = async (groups: string) => {
      const headers = { 'fonds-proxy-secret': secret, 'remote-user': 'ada', 'remote-groups': groups }
      const answer = await app.inject({ method: method.toUpperCase() as 'POST', url, headers })
      return answer.statusCode === 403 && answer.json().code === 'no-permission'
    }
    expect(await refusedTo('staff'), `${method} ${path}`).toBe(true)
    if (permission === 'administer') expect(await refusedTo('archivists'), `${method} ${path}`).toBe(true)
  }
})

it('each permission includes those before it', () => {
  expect(permissions.map((held) => permissions.map((needed) => allows(held, needed)))).toEqual([
    [true, false, false],
    [true, true, false],
    [true, true, true],
  ])
})

it.each([
  [[], {}, undefined],
  [['staff'], {}, undefined],
  [['staff'], { read: ['staff'] }, 'read'],
  [['Staff'], { read: ['staff'] }, undefined],
  [['staff', 'admins'], { read: ['staff'], administer: ['admins'] }, 'administer'],
  [[], { read: ['*'], operate: ['staff'] }, 'read'],
  [['*'], { operate: ['staff'] }, undefined],
] as const)('groups %j give, by %j, %s', (groups, granting, permission) => {
  expect(permissionOf(groups, granting)).toBe(permission)
})
