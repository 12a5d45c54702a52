import { describe, expect, it } from 'vitest'
import { isLeaderEvent } from '#src/domain/kernel/leader-lease.ts'
import {
  type Node,
  presence,
  presenceEvents,
  presenceStream,
  presentAt,
} from '#src/domain/kernel/presence.ts'
import { specify } from '../../given.ts'
import { testStored } from '../stored-events.ts'

const at = '2026-01-01T00:00:00.000Z'
const node = (name: string, more: Partial<Node> = {}): Node => ({
  ...{ name, host: 'one', home: '/home', roles: ['workers'], since: at, at, millis: 70_000 },
  settings: { ingestStorage: '/a', ingestFolderDays: '3' },
  needsStart: [],
  ...more,
})
const compared = { settings: ['ingestFolderDays', 'mailServer'], folders: ['ingestStorage'] }
const present = (...nodes: Node[]) => ({ type: 'NodesPresent', data: { nodes } }) as const
const given = specify(presence)
const show = (one: Node, ended: readonly string[] = []) =>
  ({ type: 'Show', actor: one.name, at: one.at, node: one, compared, ended }) as const
const other = node('b', { settings: { ingestStorage: '/b', ingestFolderDays: '3' } })

describe('nodes that are at work', () => {
  it('show themselves beside others that are set alike', () => {
    given()
      .when(show(node('a')))
      .gives([present(node('a'))])
    given(present(node('a')))
      .when(show(node('b')))
      .gives([present(node('a'), node('b'))])
    const later = node('a', { at: '2026-01-01T00:00:20.000Z' })
    given(present(node('a'), node('b')))
      .when(show(later))
      .gives([present(node('b'), later)])
  })

  it('are not joined by one of their home that stores elsewhere, and it is told in what it differs', () => {
    const refused = given(present(node('a'))).when(show(other))
    refused.gives('differs')
    const { result } = refused
    expect(result._tag === 'Left' && result.left.message).toBe(
      'this process differs from a, which is at work: ingestStorage is /b here and /a there. It does none of that work until both ' +
        'agree: set the archive’s settings in the log (`fonds settings set`), and leave them out of flags, environment and config files',
    )
  })

  it('that were started before a setting was changed in the log are to be started again, which may not be all', () => {
    const refused = given(present(node('a', { needsStart: ['ingestStorage'] }))).when(show(other))
    const { result } = refused
    expect(result._tag === 'Left' && result.left.message).toBe(
      'this process differs from a, which is at work: ingestStorage is /b here and /a there. It does none of that work until both ' +
        'agree: start a again, to apply what was changed in the log since its start; where they differ even then, set the ' +
        'archive’s settings in the log (`fonds settings set`), and leave them out of flags, environment and config files',
    )
  })

  it('are joined by one of another home, which may see the same volume elsewhere, but not with other rules', () => {
    given(present(node('a')))
      .when(show({ ...other, home: '/other' }))
      .gives([present(node('a'), { ...other, home: '/other' })])
    given(present(node('a')))
      .when(show({ ...other, home: '/other', settings: { ingestFolderDays: '4' } }))
      .gives('differs')
    given(present(node('a')))
      .when(show(node('b', { settings: { ...node('a').settings, mailServer: 'smtp://a' } })))
      .gives('differs')
  })

  it('do not mind those that do no such work, nor do these mind them', () => {
    const looking = { ...other, roles: ['api'] }
    given(present(node('a')))
      .when(show(looking))
      .gives([present(node('a'), looking)])
    given(present(looking))
      .when(show(node('a')))
      .gives([present(looking, node('a'))])
  })

  it('are gone when they leave, when their process has ended, and when they were silent for their time', () => {
    given(present(node('a'), node('b')))
      .when({ type: 'Leave', actor: 'a', at, name: 'a' })
      .gives([present(node('b'))])
    given().when({ type: 'Leave', actor: 'a', at, name: 'a' }).gives([])
    given(present(node('a')))
      .when(show(other, ['a']))
      .gives([present(other)])
    const late = { ...other, at: '2026-01-01T00:01:10.001Z' }
    given(present(node('a')))
      .when(show(late))
      .gives([present(late)])
  })

  it('of a clock that ran ahead keep nobody waiting until then', () => {
    const ahead = node('a', { at: '2026-01-02T00:00:00.000Z' })
    expect(presentAt([ahead], at)).toEqual([])
    given(present(ahead))
      .when(show(other))
      .gives([present(other)])
  })

  it('once there, they may take up other settings', () => {
    given(present(node('a'), other))
      .when(show(other))
      .gives([present(node('a'), other)])
  })
})

it('say nothing of the archive', () => expect(isLeaderEvent({ stream: presenceStream })).toBe(true))

const lock = { file: '/home/locks/1.lock', device: '1', inode: '2', bootId: 'x' }
testStored('presence', presenceEvents, [
  { type: 'NodesPresent', schema: 1, data: { nodes: [] } },
  { type: 'NodesPresent', schema: 1, data: { nodes: [node('a', { lock, needsStart: ['ingestStorage'] })] } },
])
