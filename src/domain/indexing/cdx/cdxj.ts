import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import type { Column, Texts } from './columns.ts'

/* `key time {"url":"…",…}`: all members are texts, and what is not known is left out, but for the URL. */

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

/** A SHA-1 has its prefix here, and in no other format. */
export const cdxjLine = (texts: Readonly<Record<Column, string>>): string => {
  const isBare = texts.digest !== '-' && !texts.digest.includes(':')
  const all = isBare ? { ...texts, digest: `sha1:${texts.digest}` } : texts
  const known = members.flatMap(([column, name]) =>
    all[column] === '-' && column !== 'url' ? [] : [[name, all[column]]],
  )
  return `${texts.key} ${texts.time} ${JSON.stringify(Object.fromEntries(known))}`
}

export const isCdxj = (line: string): boolean => /^\S+ \d+ \{/.test(line)

/** Some programs write numbers, and some an empty text for what is not known. */
const Member = t.union([t.string, t.number, t.undefined])
const Members = t.record(t.string, t.unknown)

export const cdxjTexts = (line: string): E.Either<string, Texts> => {
  const [key = '', time = ''] = line.split(' ', 2)
  const json = line.slice(key.length + time.length + 2)
  return pipe(
    E.tryCatch(
      (): unknown => JSON.parse(json),
      () => 'what stands behind the time is no JSON',
    ),
    E.chain((value) =>
      pipe(
        Members.decode(value),
        E.mapLeft(() => 'the JSON is no object'),
      ),
    ),
    E.chain(textsIn),
    E.map((texts) => ({ key, time, ...texts })),
  )
}

const isUnsaid = (member: unknown): boolean => member === undefined || member === ''

const textsIn = (object: t.TypeOf<typeof Members>): E.Either<string, Texts> => {
  const wrong = members.find(([, name]) => !Member.is(object[name]))
  if (wrong) return E.left(`${wrong[1]} is no text`)
  if (isUnsaid(object.url)) return E.left('there is no url')
  return E.right(
    Object.fromEntries(
      members.flatMap(([column, name]) => (isUnsaid(object[name]) ? [] : [[column, String(object[name])]])),
    ),
  )
}
