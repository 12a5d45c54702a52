import { expect, it } from 'vitest'
import { isBeneath } from '#src/async/is-beneath.ts'

it.each([
  ['/srv/media', '/srv/media'],
  ['/srv/media/a.wav', '/srv/media'],
  ['/srv/media/2026/a.wav', '/srv/media/'],
  ['/srv/media/../media/a.wav', '/srv/./media'],
  ['/anything', '/'],
])('%s is beneath %s', (path, folder) => expect(isBeneath(path, ['/elsewhere', folder])).toBe(true))

it.each([
  ['/srv/media2/a.wav', '/srv/media'],
  ['/srv', '/srv/media'],
  ['/srv/media/../a.wav', '/srv/media'],
])('%s is not beneath %s', (path, folder) => expect(isBeneath(path, ['/elsewhere', folder])).toBe(false))

it('nothing is beneath no folder', () => expect(isBeneath('/srv', [])).toBe(false))
