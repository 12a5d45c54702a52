import type { CaptureRequest } from '../capture.ts'
import type { Column, Texts } from './columns.ts'
import { type Result, read, wrong } from './result.ts'

/* `key time {"url":"…",…}`: all members are texts. Unknown ones are left out, except for the URL. */

const names: Readonly<Record<Exclude<Column, 'key' | 'time'>, string>> = {
  url: 'url',
  mime: 'mime',
  status: 'status',
  digest: 'digest',
  redirect: 'redirect',
  flags: 'robotflags',
  length: 'length',
  offset: 'offset',
  file: 'filename',
  originalLength: 'orig.length',
  originalOffset: 'orig.offset',
  originalFile: 'orig.filename',
}
const members = Object.entries(names) as readonly (readonly [keyof typeof names, string])[]
/** As cdxj-indexer writes them. */
const ofRequest = ['requestBody', 'method'] as const

/** A SHA-1 digest has its prefix in this format only. */
export const cdxjLine = (texts: Readonly<Record<Column, string>>, request?: CaptureRequest): string => {
  const isBare = texts.digest !== '-' && !texts.digest.includes(':')
  const all = isBare ? { ...texts, digest: `sha1:${texts.digest}` } : texts
  const known = members.flatMap(([column, name]) =>
    all[column] === '-' && column !== 'url' ? [] : [[name, all[column]]],
  )
  return `${texts.key} ${texts.time} ${JSON.stringify({
    ...Object.fromEntries(known),
    ...(request && { requestBody: request.body, method: request.method }),
  })}`
}

export const isCdxj = (line: string): boolean => /^\S+ \d+ \{/.test(line)

/** Some programs write numbers, and some an empty text for an unknown value. */
const isMember = (member: unknown): boolean =>
  member === undefined || typeof member === 'string' || typeof member === 'number'

export const cdxjTexts = (line: string): Result<string, Texts> => {
  const [key = '', time = ''] = line.split(' ', 2)
  const object = parsed(line.slice(key.length + time.length + 2))
  if (object === undefined) return wrong('what stands behind the time is no JSON')
  if (typeof object !== 'object' || object === null || Array.isArray(object))
    return wrong('the JSON is no object')
  return textsIn(key, time, object as Readonly<Record<string, unknown>>)
}

const parsed = (json: string): unknown => {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}

const isUnsaid = (member: unknown): boolean => member === undefined || member === ''

const textsIn = (
  key: string,
  time: string,
  object: Readonly<Record<string, unknown>>,
): Result<string, Texts> => {
  const odd = members.find(([, name]) => !isMember(object[name]))
  if (odd) return wrong(`${odd[1]} is no text`)
  if (isUnsaid(object.url)) return wrong('there is no url')
  const texts = Object.fromEntries(
    members.flatMap(([column, name]) => (isUnsaid(object[name]) ? [] : [[column, String(object[name])]])),
  )
  const request = ofRequest.flatMap((name) =>
    typeof object[name] === 'string' ? [[name, object[name]] as const] : [],
  )
  return read({ key, time, ...texts, ...Object.fromEntries(request) })
}
