import { describe, expect, it } from 'vitest'
import type { Column } from '#src/projections/runtime/shown.ts'
import { defaultFormat, writeRows } from '../../../src/cli/output/format.ts'
import type { Format } from '../../../src/cli/output/formats.ts'
import { outputTo } from '../../../src/cli/output/output.ts'
import { rememberingStream } from './streams.ts'

const written = async (
  pages: Parameters<typeof writeRows>[1],
  format?: Format,
  columns?: readonly Column[],
  terminal?: { columns: number },
) => {
  const stream = rememberingStream(terminal)
  await writeRows(outputTo(stream), pages, { ...(format && { format }), ...(columns && { columns }) })
  return stream.text()
}

const rows = [
  { path: 'a, "b"\n', size: 1n, ok: true, note: null },
  { path: '=HYPERLINK("http://x")', size: -2, ok: false, note: { at: [1n] } },
]
const hostile = 'gpj.\u202eexe\u009b0m'

describe('rows', () => {
  it('are a table on a terminal and JSON lines in a pipe', async () => {
    expect(defaultFormat({ isTTY: true })).toBe('table')
    expect(await written([[{ a: 1 }]])).toBe('{"a":1}\n')
    expect(await written([[{ a: 1 }]], undefined, undefined, { columns: 80 })).toBe(
      '\u001b[1ma\u001b[22m\n1\n',
    )
  })

  it('as ndjson: whole rows, page by page', async () => {
    const text = await written([rows.slice(0, 1), [], rows.slice(1)], 'ndjson', [{ key: 'path' }])
    expect(
      text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual([
      { path: 'a, "b"\n', size: '1', ok: true, note: null },
      { path: '=HYPERLINK("http://x")', size: -2, ok: false, note: { at: ['1'] } },
    ])
  })

  it('as json: one array, also of nothing', async () => {
    expect(JSON.parse(await written([rows.slice(0, 1), rows.slice(1)], 'json'))).toHaveLength(2)
    expect(await written([[{ a: 1 }], [{ a: 2 }]], 'json')).toBe('[\n  {"a":1},\n  {"a":2}\n]\n')
    expect(await written([], 'json')).toBe('[]\n')
  })

  it('as csv: one heading, quoted, no formula left to run', async () => {
    expect(await written([rows.slice(0, 1), rows.slice(1)], 'csv')).toBe(
      `path,size,ok,note\n"a, ""b""\n",1,true,\n"'=HYPERLINK(""http://x"")",-2,false,"{""at"":[""1""]}"\n`,
    )
    expect(await written([], 'csv', [{ key: 'a' }, { key: 'b' }])).toBe('a,b\n')
    expect(await written([rows], 'csv', [{ key: 'size' }])).toBe('size\n1\n-2\n')
  })

  it.each(['table', 'json', 'ndjson', 'csv'] as const)('as %s do nothing to a terminal', async (format) => {
    const text = await written([[{ name: hostile }]], format, undefined, { columns: 80 })
    expect(text).not.toMatch(/[\u202e\u009b]/)
    expect(text).toMatch(/\\u\{?202e/)
  })

  it('of JSON read back the same', async () => {
    const name = `${hostile}\u{e0041}`
    expect(JSON.parse(await written([[{ name }]], 'ndjson'))).toEqual({ name })
  })

  it('come one page at a time, and no more once the reader has gone', async () => {
    const stream = rememberingStream()
    let asked = 0
    async function* endless() {
      for (;;) {
        asked++
        if (asked === 3) stream.destroy()
        yield [{ asked }]
      }
    }
    await writeRows(outputTo(stream), endless())
    expect(stream.text()).toBe('{"asked":1}\n{"asked":2}\n')
    expect(asked).toBe(3)
  })
})
