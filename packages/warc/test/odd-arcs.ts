import { httpResponse } from './make-warc.ts'

/* ARC files as they were really written, and where their captures begin and end. */

interface Place {
  readonly offset: number
  /** Without line feeds that the length of the record does not count. */
  readonly length: number
}

export interface OddArc {
  readonly name: string
  /** Each record with all that stands behind it. */
  readonly pieces: readonly Buffer[]
  /** Where nothing is compressed. */
  readonly captures: readonly Place[]
  readonly warning?: RegExp
  /** Undefined: jwarc 0.36.0 finds the same captures. */
  readonly jwarc?: 'refuses it'
  /** Undefined: cdxj-indexer 1.5.0 finds the same captures. */
  readonly cdxjIndexer?: 'refuses it'
}

interface How {
  readonly version?: 1 | 2
  /** Line feeds that the length counts, at the end of the block. */
  readonly counted?: number
  /** Behind the block, and not counted. */
  readonly between?: string
}

const lineOf = (url: string, mime: string, length: number, version: 1 | 2) =>
  `${url} 192.0.2.1 20010926085547 ${mime}${version === 2 ? ' 200 - - 0 made.arc' : ''} ${length}\n`

const page = httpResponse().toString()

const record = (url: string, { version = 1, counted = 0, between = '\n' }: How = {}): Buffer => {
  const block = page + '\n'.repeat(counted)
  return Buffer.from(lineOf(url, 'text/html', block.length, version) + block + between)
}

const filedesc = ({ version = 1, counted = 0, between = '\n' }: How = {}): Buffer => {
  const names = version === 1 ? '' : 'Result-code Checksum Location Offset Filename '
  const block = `${version} 0 made\nURL IP-address Archive-date Content-type ${names}Archive-length\n${'\n'.repeat(counted)}`
  return Buffer.from(lineOf('filedesc://made.arc', 'text/plain', block.length, version) + block + between)
}

const [a, b, c] = ['http://example.com/a', 'http://example.com/b', 'http://example.com/c'] as const
const counts: How = { counted: 1, between: '' }
const v2: How = { version: 2 }
const noFeed = /^records without the line feed that ARC wants behind each: \d, the first at byte \d+;/

/** Takes each piece that is no description of a file for a capture. */
const arc = (
  name: string,
  pieces: readonly Buffer[],
  more: Pick<OddArc, 'warning' | 'jwarc' | 'cdxjIndexer'> = {},
): OddArc => {
  let offset = 0
  const captures = pieces.flatMap((piece) => {
    const text = piece.toString('latin1')
    const empty = /^[\r\n]*/.exec(text)![0].length
    const [line = '', length = ''] = /^\S.* (\d+)\r?\n/.exec(text.slice(empty)) ?? []
    const place = { offset: offset + empty, length: line.length + Number(length) }
    offset += piece.length
    return line.startsWith('filedesc:') ? [] : [place]
  })
  return { name, pieces, captures, ...more }
}

const refused = { cdxjIndexer: 'refuses it' } as const

export const oddArcs: readonly OddArc[] = [
  arc('version 1', [filedesc(), record(a), record(b)]),
  arc('version 2', [filedesc(v2), record(a, v2), record(b, v2)]),
  arc('a first length that counts the line feed', [filedesc(counts), record(a), record(b)], refused),
  arc('lengths that count the line feed', [filedesc(counts), record(a, counts), record(b, counts)], {
    ...refused,
    warning: noFeed,
  }),
  arc(
    'lengths of version 2 that count the line feed',
    [filedesc({ ...v2, ...counts }), record(a, { ...v2, ...counts }), record(b, { ...v2, ...counts })],
    { ...refused, warning: noFeed },
  ),
  arc(
    'a length that counts three line feeds',
    [filedesc(), record(a, { counted: 3, between: '' }), record(b)],
    {
      ...refused,
      warning: noFeed,
    },
  ),
  arc('three line feeds behind each', [
    filedesc({ between: '\n\n\n' }),
    record(a, { between: '\n\n\n' }),
    record(b),
  ]),
  arc('CR LF behind each', [filedesc({ between: '\r\n' }), record(a, { between: '\r\n' }), record(b)], {
    jwarc: 'refuses it',
  }),
  arc('no line feed behind the first', [filedesc({ between: '' }), record(a), record(b)], refused),
  arc(
    'no line feed behind any',
    [filedesc({ between: '' }), record(a, { between: '' }), record(b, { between: '' })],
    {
      ...refused,
      warning: noFeed,
    },
  ),
  arc('no line feed at its end', [filedesc(), record(a), record(b, { between: '' })]),
  arc('two files of version 1', [filedesc(), record(a), filedesc(), record(b)]),
  arc('version 1, then 2', [filedesc(), record(a), filedesc(v2), record(b, v2)]),
  arc('version 2, then 1', [filedesc(v2), record(a, v2), filedesc(), record(b)]),
  arc('versions 1, 2 and 1', [filedesc(), record(a), filedesc(v2), record(b, v2), filedesc(), record(c)]),
  arc(
    'two files that count the line feed',
    [filedesc(counts), record(a, counts), filedesc(counts), record(b, counts)],
    {
      ...refused,
      warning: noFeed,
    },
  ),
  arc('a file of no records before another', [filedesc(), filedesc(), record(a)]),
  arc('version 2, then records of 1 without a description', [filedesc(v2), record(a, v2), record(b)]),
  arc('no description', [record(a), record(b)]),
  arc('no description, version 2', [record(a, v2), record(b, v2)]),
  arc(
    'an empty line before its beginning',
    [Buffer.concat([Buffer.from('\n'), filedesc()]), record(a), record(b)],
    refused,
  ),
]
