import { expect, it } from 'vitest'
import type { Config } from '#src/app/config/settings.ts'
import { signIn } from '#src/app/doctor/sign-in.ts'
import { startProvider } from '../../api/sign-in/provider.ts'
import { openTestSystem } from '../../fakes/system.ts'

const found = async (settings: Partial<Config>) => {
  const system = await openTestSystem(settings)
  try {
    return await signIn(system)
  } finally {
    await system.close()
  }
}
const publicUrl = 'https://fonds.example'
const client = { oidcClientId: 'fonds', oidcClientSecret: 'a secret of the provider' }

it('says nothing where nobody can sign in', async () => {
  expect(await found({})).toEqual([])
})

it('asks the provider, and says where it leads back to', async () => {
  const { issuer, stop } = await startProvider({ publicUrl })
  const settings = { ...client, oidcIssuer: issuer, publicUrl, signInRead: '*' }
  expect(await found(settings)).toMatchObject([
    { status: 'ok', says: expect.stringContaining('https://fonds.example/sign-in/return') },
  ])
  const plain = await found({ ...settings, publicUrl: 'http://fonds.example' })
  expect(plain).toMatchObject([{ status: 'warn', says: expect.stringContaining('without TLS') }])
  const { publicUrl: _, ...without } = settings
  expect(await found(without)).toMatchObject([{ status: 'fail', todo: 'set FONDS_PUBLIC_URL' }])
  await stop()
  const away = await found({ ...client, oidcIssuer: issuer, publicUrl })
  expect(away).toMatchObject([
    { check: 'sign-in', status: 'fail', says: expect.stringContaining('does not answer') },
    { check: 'permissions', status: 'warn', says: expect.stringContaining('may do nothing') },
  ])
  expect(JSON.stringify(away)).not.toContain('a secret of')
})

it('warns of a secret of a proxy that passes over the network in the clear', async () => {
  const settings = { proxySecret: 'a secret of the proxy', signInRead: 'staff' }
  expect(await found(settings)).toMatchObject([{ check: 'proxy sign-in', status: 'ok' }])
  const open = await found({ ...settings, host: '0.0.0.0' })
  expect(open).toMatchObject([{ status: 'warn', says: expect.stringContaining('in the clear') }])
  expect(JSON.stringify(open)).not.toContain('a secret of the')
})
