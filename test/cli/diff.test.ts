import { describe, expect, test } from 'vitest'
import { contentTopic, lines, recorded, useFonds } from './fonds.ts'

const fonds = useFonds({ keepsHistory: true })
const record = (...all: string[]) => fonds.run(['produce', contentTopic, '--wait'], { stdin: lines(...all) })
const end = async (): Promise<string> => (await fonds.run(['events'])).rows.at(-1)?.position as string

describe('fonds diff', () => {
  test('page P67: what came and what changed since a moment, and by which events', async () => {
    await record(recorded('a', 1), recorded('b', 2))
    const then = await end()
    await record(recorded('b', 3), recorded('c', 4))
    const { code, rows } = await fonds.run(['diff', 'fixity-items', '--from', then])
    expect(code).toBe(0)
    expect(rows).toMatchObject([
      {
        kind: 'changed',
        key: { path: 'b' },
        before: { size: 2 },
        after: { size: 3 },
        columns: expect.arrayContaining(['size']),
        events: [{ type: 'ContentRecorded' }],
      },
      { kind: 'came', key: { path: 'c' }, before: null, after: { size: 4 } },
    ])
    const { out } = await fonds.run(['diff', 'fixity-items', '--from', then], { terminal: 200 })
    expect(out).toContain('size: 2 → 3')
    expect((await fonds.run(['diff', 'fixity-items', '--from', then, '--limit', '1'])).rows).toHaveLength(1)
  })

  test('what cannot be compared is refused with what to do', async () => {
    await record(recorded('a', 1))
    const refused = async (...argv: string[]) => {
      const { code, err } = await fonds.run(['diff', ...argv])
      return [code, err]
    }
    expect(await refused('fixity-claims', '--from', '0')).toEqual([
      1,
      expect.stringContaining('fixity-claims keeps no history'),
    ])
    expect(await refused('fixity-item', '--from', '0')).toEqual([1, expect.stringContaining('fixity-items?')])
    expect(await refused('fixity-items', '--from', 'once')).toEqual([2, expect.stringContaining('--from')])
    expect(await refused('fixity-items', '--from', '1', '--to', '0')).toEqual([
      2,
      expect.stringContaining('the earlier moment comes first'),
    ])
  })
})
