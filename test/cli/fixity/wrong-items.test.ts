import { expect, it } from 'vitest'
import { wrongLines } from '#src/cli/fixity/wrong-items.ts'

it('the command about the first item takes no path for an option, and none for several words', () => {
  const commandFor = (path: string) =>
    wrongLines({
      wrong: [{ store: 'main', path, state: 'failed', cause: null, lastVerified: null }],
      wrongLeftOut: 0,
    }).at(-1)
  expect(commandFor('-odd name')).toContain("`fonds fixity item -- main '-odd name'`")
  expect(commandFor('a.tif')).toContain('`fonds fixity item main a.tif`')
})
