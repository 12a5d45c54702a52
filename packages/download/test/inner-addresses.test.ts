import { expect, it } from 'vitest'
import { failIfInner, lookupPublic } from '../src/addresses/inner-addresses.ts'

it.each([
  ...['0.0.0.0', '10.1.2.3', '100.64.0.1', '127.0.0.1', '127.255.255.254', '169.254.169.254', '172.16.0.1'],
  ...['172.31.255.255', '192.168.1.1', '198.19.0.1', '224.0.0.1', '255.255.255.255'],
  ...['[::]', '[::1]', '[fd00::1]', '[fe80::1]', '[ff02::1]', '[::ffff:127.0.0.1]', '[::ffff:a9fe:a9fe]'],
  ...[
    '[::7f00:1]',
    '[64:ff9b::a00:1]',
    '[64:ff9b:1::1]',
    '[2002:7f00:1::]',
    '[2001:0:7f00:1::]',
    '[fec0::1]',
  ],
])('%s is no public address, however it is written', (address) => {
  const { hostname } = new URL(`http://${address}/`)
  expect(() => failIfInner(hostname)).toThrow(/^leads to \S+, which is no public address$/)
})

it.each([
  '192.0.2.1',
  '8.8.8.8',
  '172.32.0.1',
  '172.15.0.1',
  '100.128.0.1',
  '[2001:db8::1]',
  '[2606:4700::1111]',
  '[64:ff9b::808:808]',
])('%s may be asked, and so may names, as far as they show', (address) => {
  expect(() => failIfInner(new URL(`http://${address}/`).hostname)).not.toThrow()
  expect(() => failIfInner('radio.example')).not.toThrow()
})

it.each([true, false])(
  'a name that leads to an inner address is refused by that address (all: %s)',
  async (all) => {
    const failed = await new Promise((resolve) => lookupPublic('localhost', { all }, resolve))
    expect(String(failed)).toMatch(/leads to (127\.0\.0\.1|::1), which is no public address/)
  },
)
