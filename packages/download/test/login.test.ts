import { expect, it } from 'vitest'
import { hasLogin, withoutLogin } from '../src/login.ts'

it.each([
  ['http://ada:secret@host.example/a?b', 'http://host.example/a?b'],
  ['http://ada@host.example/', 'http://host.example/'],
  ['https://:secret@host.example:8443/', 'https://host.example:8443/'],
])('%s is shown as %s', (address, shown) => {
  expect(hasLogin(address)).toBe(true)
  expect(withoutLogin(address)).toBe(shown)
})

it.each(['http://host.example/a@b', 'http://host.example', 'file:///srv/a:b@c', 'no address', '/srv/a@b'])(
  '%s has none, and stays as it is written',
  (address) => {
    expect(hasLogin(address)).toBe(false)
    expect(withoutLogin(address)).toBe(address)
  },
)
