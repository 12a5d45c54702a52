import { expect, it } from 'vitest'
import { effectiveOf } from '#src/app/config/log-settings.ts'
import { defaultConfig } from '#src/app/config/settings.ts'
import { differences } from '#src/app/doctor/nodes.ts'
import type { ArchiveSettings } from '#src/domain/kernel/archive-settings.ts'
import type { Node } from '#src/domain/kernel/presence.ts'
import { useFonds } from '../fonds.ts'

const at = '2026-01-31T12:00:00.000Z'
const node = (name: string, settings: Node['settings'], more: Partial<Node> = {}): Node => ({
  ...{
    name,
    host: 'one',
    home: '/srv/fonds',
    roles: ['workers'],
    needsStart: [],
    since: at,
    at,
    millis: 70_000,
  },
  settings,
  ...more,
})
const log = (values: Readonly<Record<string, string | number>>): ArchiveSettings =>
  Object.fromEntries(
    Object.entries(values).map(([key, value]) => [key, { value, actor: 'ada', at, reason: 'so' }]),
  ) as unknown as ArchiveSettings
const usual = effectiveOf(defaultConfig('/srv/fonds'))

it('says that all are set alike', () => {
  const both = [node('a', usual), node('b', usual)]
  expect(differences(both, log({}))).toMatchObject([
    { check: 'nodes', status: 'ok', says: '2 processes at work, set alike' },
  ])
  const hosts = { ...usual, mediaHosts: '.radio.example' }
  expect(differences([node('a', hosts)], log({ mediaHosts: '.radio.example' }))).toMatchObject([
    { status: 'ok' },
  ])
})

it('names who differs from the log, in what, and what to do; a start is another thing to do', () => {
  const settings = { ...usual, ingestAttempts: '3', mediaHosts: '*' }
  const found = differences(
    [node('a', settings), node('b', settings, { needsStart: ['mediaHosts'] })],
    log({ mediaHosts: '.radio.example' }),
  )
  expect(found).toMatchObject([
    {
      status: 'warn',
      says: 'b does not know settings changed since its start: mediaHosts',
      todo: expect.stringContaining('restart it'),
    },
    {
      status: 'warn',
      says: 'a differs from the log: mediaHosts is * there and .radio.example in the log',
      todo: expect.stringContaining('`fonds settings set`'),
    },
  ])
})

it('names settings in which nodes differ from one another; of folders in one home alone', () => {
  const other = { ...usual, ingestThresholdPercent: '90', ingestStorage: '/mnt/storage' }
  expect(differences([node('a', usual), node('b', other, { home: '/home/b' })], log({}))).toMatchObject([
    {
      status: 'warn',
      says: 'ingestThresholdPercent is 80 for a; 90 for b',
      todo: expect.stringContaining('`fonds settings set ingestThresholdPercent …`'),
    },
  ])
  expect(differences([node('a', usual), node('b', other)], log({}))).toHaveLength(2)
})

const fonds = useFonds()

it('nothing is said where none is at work', async () => {
  const { rows } = await fonds.run(['doctor'])
  expect(rows.filter(({ check }) => check === 'nodes')).toEqual([])
})
