import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { settings } from '#src/app/config/settings.ts'
import { variableOf } from '#src/domain/kernel/setting.ts'
import { rootFile } from '../packages.ts'

/** The values of each directive, in their order. */
const unit = new Map<string, string[]>()
for (const line of readFileSync(rootFile('infra/systemd/fonds.service'), 'utf8').split('\n')) {
  const [, name, value] = /^([A-Za-z]+)=(.*)$/.exec(line) ?? []
  if (name !== undefined && value !== undefined) unit.set(name, [...(unit.get(name) ?? []), value])
}
const only = (name: string): string => {
  const [value = '', ...more] = unit.get(name) ?? []
  expect(more, name).toEqual([])
  return value
}

it('sets what there is, and its home is the folder that systemd makes', () => {
  const env = Object.fromEntries(
    only('Environment')
      .split(' ')
      .map((one) => one.split('=')),
  )
  const { XDG_CACHE_HOME, ...ours } = env
  expect(Object.keys(settings).map(variableOf)).toEqual(expect.arrayContaining(Object.keys(ours)))
  expect(ours.FONDS_HOME).toBe(`/var/lib/${only('StateDirectory')}`)
  expect(`${XDG_CACHE_HOME}/fonds`).toBe(`/var/cache/${only('CacheDirectory')}`)
})

it('waits longer than the work under way may take to end', () => {
  const [, grace] = /^\/usr\/local\/bin\/fonds start --grace (\d+)$/.exec(only('ExecStart')) ?? []
  expect(Number(only('TimeoutStopSec'))).toBeGreaterThan(Number(grace))
})
