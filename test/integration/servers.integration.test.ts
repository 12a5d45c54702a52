import { describe, expect, it } from 'vitest'

/*
 * The contract suites belong on every server that Fonds can use. So far those are its own, embedded ones. A server that
 * cannot be had is skipped with a loud line; where FONDS_REQUIRE names it, that is a failure.
 */

const servers = { kafka: 'FONDS_KAFKA', eventstoredb: 'FONDS_EVENTSTOREDB' } as const
const required = (process.env.FONDS_REQUIRE ?? '').split(',').filter(Boolean)

describe('servers', () => {
  it('FONDS_REQUIRE names servers that there are', () => {
    expect(Object.keys(servers)).toEqual(expect.arrayContaining(required))
  })

  it.each(Object.entries(servers))('%s', (server, address) => {
    const why = `${server}: this version has no adapter for it, ${process.env[address] ? `so ${address} is of no use` : 'the suite does not run'}`
    console.warn(`\n!!! SKIPPED ${why}\n`)
    expect(required, why).not.toContain(server)
  })
})
