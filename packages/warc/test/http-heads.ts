/* Heads of responses as servers really sent them, and what four programs make of each. */

/** Status and media type, `-` for none. `refused`: the program gives no line. */
type Reading = `${string} ${string}` | 'refused'

export interface SentHead {
  readonly name: string
  /** Without a body. */
  readonly head: string
  /** Fonds. */
  readonly ours: Reading
  /** cdxj-indexer 1.5.0 on warcio 1.8.1. Default: as ours. */
  readonly cdxjIndexer?: Reading
  /** jwarc 0.36.0. Default: as ours. */
  readonly jwarc?: Reading
  /** Why ours differs from both, or from the one that reads it. */
  readonly why?: string
}

/** The body behind each head. */
export const sentBody = '<html>x</html>'

const html = 'Content-Type: text/html\r\n\r\n'
const type = (value: string) => `HTTP/1.1 200 OK\r\nContent-Type:${value}\r\n\r\n`
const status = (line: string) => `${line}\r\n${html}`

const unusualStatus = 'a status is three digits, or none'
const protocol = 'jwarc reads no other protocol'
const before = 'browsers pass over what stands before the status line'
const quotes = 'whoever filters by media type looks for text/html'

export const sentHeads: readonly SentHead[] = [
  // Fields.
  {
    name: 'a blank before the colon',
    head: 'HTTP/1.1 200 OK\r\nContent-Type : text/html\r\n\r\n',
    ours: '200 text/html',
  },
  {
    name: 'a tab before the colon',
    head: 'HTTP/1.1 200 OK\r\nContent-Type\t: text/html\r\n\r\n',
    ours: '200 text/html',
  },
  {
    name: 'no blank behind the colon',
    head: 'HTTP/1.1 200 OK\r\ncontent-type:text/html\r\n\r\n',
    ours: '200 text/html',
  },
  {
    name: 'a line without a colon',
    head: `HTTP/1.1 200 OK\r\nsome garbage\r\n${html}`,
    ours: '200 text/html',
  },
  {
    name: 'a line that begins with a colon',
    head: `HTTP/1.1 200 OK\r\n: x\r\n${html}`,
    ours: '200 text/html',
  },
  {
    name: 'a field without a colon',
    head: `HTTP/1.1 200 OK\r\nContent-Type text/x\r\n${html}`,
    ours: '200 text/html',
  },
  {
    name: 'the status line twice',
    head: `HTTP/1.1 200 OK\r\nHTTP/1.1 200 OK\r\n${html}`,
    ours: '200 text/html',
  },
  {
    name: 'a folded field',
    head: 'HTTP/1.1 200 OK\r\nContent-Type: text/html;\r\n charset=x\r\n\r\n',
    ours: '200 text/html',
  },
  {
    name: 'a folded field whose first line is empty',
    head: 'HTTP/1.1 200 OK\r\nContent-Type:\r\n\ttext/html\r\n\r\n',
    ours: '200 text/html',
    cdxjIndexer: '200 -',
    jwarc: '200 -',
    why: 'RFC 9112 §5.2: a fold is a blank',
  },
  { name: 'a folded status line', head: `HTTP/1.1 200 OK\r\n really\r\n${html}`, ours: '200 text/html' },
  { name: 'NUL in a field', head: `HTTP/1.1 200 OK\r\nX: a\0b\r\n${html}`, ours: '200 text/html' },
  { name: 'NUL in a name', head: `HTTP/1.1 200 OK\r\nX\0Y: a\r\n${html}`, ours: '200 text/html' },
  {
    name: 'NUL behind the media type',
    head: type(' text/html\0'),
    ours: '200 text/html',
    cdxjIndexer: '200 text/html\0',
    jwarc: '200 text/html%00',
    why: 'NUL is no character of a media type',
  },
  { name: 'bytes of Latin-1', head: `HTTP/1.1 404 N\xe3o\r\n${html}`, ours: '404 text/html' },

  // Line ends.
  { name: 'LF alone', head: 'HTTP/1.1 200 OK\nContent-Type: text/html\n\n', ours: '200 text/html' },
  { name: 'LF and CR LF', head: 'HTTP/1.1 200 OK\nContent-Type: text/html\r\n\n', ours: '200 text/html' },
  {
    name: 'CR CR LF',
    head: 'HTTP/1.1 200 OK\r\r\nContent-Type: text/html\r\r\n\r\r\n',
    ours: '200 text/html',
  },
  { name: 'CR in a field', head: `HTTP/1.1 200 OK\r\nX: a\rb\r\n${html}`, ours: '200 text/html' },
  {
    name: 'CR alone',
    head: 'HTTP/1.1 200 OK\rContent-Type: text/html\r\r',
    ours: '200 -',
    jwarc: 'refused',
  },
  {
    name: 'a line of blanks as its end',
    head: 'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n \r\n',
    ours: '200 text/html',
  },

  // Status lines.
  { name: 'no reason', head: status('HTTP/1.1 200'), ours: '200 text/html' },
  { name: 'an empty reason', head: status('HTTP/1.1 200 '), ours: '200 text/html' },
  { name: 'two blanks', head: status('HTTP/1.1  200 OK'), ours: '200 text/html' },
  {
    name: 'tabs',
    head: status('HTTP/1.1\t200\tOK'),
    ours: '200 text/html',
    cdxjIndexer: '- text/html',
    jwarc: 'refused',
    why: 'nothing else can be meant',
  },
  {
    name: 'lower case',
    head: status('http/1.1 200 OK'),
    ours: '200 text/html',
    jwarc: 'refused',
    why: 'browsers read it',
  },
  { name: 'HTTP/2', head: status('HTTP/2 200'), ours: '200 text/html' },
  { name: 'HTTP/2.0', head: status('HTTP/2.0 200 '), ours: '200 text/html' },
  { name: 'HTTP/3', head: status('HTTP/3 200'), ours: '200 text/html' },
  { name: 'no version', head: status('HTTP 200 OK'), ours: '200 text/html' },
  {
    name: 'an empty version',
    head: status('HTTP/ 200 OK'),
    ours: '200 text/html',
    jwarc: 'refused',
    why: 'the version says nothing here',
  },
  {
    name: 'ICY, as SHOUTcast',
    head: 'ICY 200 OK\r\nContent-Type: audio/mpeg\r\n\r\n',
    ours: '200 audio/mpeg',
    jwarc: 'refused',
    why: protocol,
  },
  {
    name: 'SOURCETABLE, as NTRIP',
    head: 'SOURCETABLE 200 OK\r\nContent-Type: text/plain\r\n\r\n',
    ours: '200 text/plain',
    jwarc: 'refused',
    why: protocol,
  },
  { name: 'RTSP', head: status('RTSP/1.0 200 OK'), ours: '200 text/html', jwarc: 'refused', why: protocol },
  { name: 'status 999, as LinkedIn', head: status('HTTP/1.1 999 Request denied'), ours: '999 text/html' },
  {
    name: 'text right behind the status',
    head: status('HTTP/1.1 200OK'),
    ours: '200 text/html',
    cdxjIndexer: '200OK text/html',
    jwarc: 'refused',
    why: unusualStatus,
  },
  {
    name: 'a status with a point',
    head: status('HTTP/1.1 404.1 Not Found'),
    ours: '404 text/html',
    cdxjIndexer: '404.1 text/html',
    jwarc: 'refused',
    why: unusualStatus,
  },
  {
    name: 'four digits',
    head: status('HTTP/1.1 2000 OK'),
    ours: '- text/html',
    cdxjIndexer: '2000 text/html',
    jwarc: 'refused',
    why: unusualStatus,
  },
  {
    name: 'two digits',
    head: status('HTTP/1.1 20 OK'),
    ours: '- text/html',
    cdxjIndexer: '20 text/html',
    jwarc: '20 text/html',
    why: unusualStatus,
  },
  {
    name: 'no status',
    head: status('HTTP/1.1 OK'),
    ours: '- text/html',
    cdxjIndexer: 'OK text/html',
    jwarc: 'refused',
    why: unusualStatus,
  },
  {
    name: 'status 000',
    head: status('HTTP/1.1 000 x'),
    ours: '000 text/html',
    jwarc: '200 text/html',
    why: 'jwarc cannot tell it from a missing one',
  },
  {
    name: 'a head of 100 Continue before that of the response',
    head: `HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n${html}`,
    ours: '100 -',
    jwarc: '100 application/octet-stream',
  },

  // Before the status line.
  {
    name: 'an empty line before it',
    head: `\r\nHTTP/1.1 200 OK\r\n${html}`,
    ours: '200 text/html',
    cdxjIndexer: '- -',
    jwarc: 'refused',
    why: before,
  },
  {
    name: 'two empty lines before it',
    head: `\n\nHTTP/1.1 200 OK\r\n${html}`,
    ours: '200 text/html',
    cdxjIndexer: '- -',
    jwarc: 'refused',
    why: before,
  },
  {
    name: 'a blank before it',
    head: ` HTTP/1.1 200 OK\r\n${html}`,
    ours: '200 text/html',
    cdxjIndexer: 'HTTP/1.1 text/html',
    jwarc: 'refused',
    why: before,
  },
  {
    name: 'a byte order mark before it',
    head: `\xef\xbb\xbfHTTP/1.1 200 OK\r\n${html}`,
    ours: '200 text/html',
    jwarc: 'refused',
    why: before,
  },

  // Media types.
  {
    name: 'two media types',
    head: `HTTP/1.1 200 OK\r\nContent-Type: text/css\r\n${html}`,
    ours: '200 text/css',
  },
  {
    name: 'an empty media type before another',
    head: `HTTP/1.1 200 OK\r\nContent-Type:\r\n${html}`,
    ours: '200 text/html',
    cdxjIndexer: '200 -',
    jwarc: '200 -',
    why: 'an empty field says nothing',
  },
  { name: 'an empty media type', head: type(''), ours: '200 -' },
  { name: 'parameters alone', head: type(' ;charset=x'), ours: '200 -', jwarc: '200 ;charset=x' },
  {
    name: 'a quoted media type',
    head: type(' "text/html"'),
    ours: '200 text/html',
    cdxjIndexer: '200 "text/html"',
    jwarc: '200 -',
    why: quotes,
  },
  {
    name: 'a media type quoted with its parameters',
    head: type(' "text/html; charset=x"'),
    ours: '200 text/html',
    cdxjIndexer: '200 "text/html',
    jwarc: '200 -',
    why: quotes,
  },
  { name: 'capital letters', head: type(' TEXT/HTML'), ours: '200 TEXT/HTML' },
  { name: 'no slash', head: type(' html'), ours: '200 html' },
  {
    name: 'two media types in one field',
    head: type(' text/html, text/plain'),
    ours: '200 text/html',
    cdxjIndexer: '200 text/html,',
    jwarc: '200 text/html,%20text/plain',
    why: 'the first of two fields is taken, too',
  },
  { name: 'blanks around the slash', head: type(' text / html'), ours: '200 text', jwarc: '200 -' },
]
