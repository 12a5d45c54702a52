import { Readable } from 'node:stream'
import { isLeft, left, right } from 'fp-ts/lib/Either.js'
import { mayHavePersonal } from '../../domain/kernel/personal.ts'
import type { PersonalValues } from '../../ports/personal-values.ts'
import type { Handled } from './route.ts'

/** Proofs are of the bytes that are stored, which have references. */
const asStored = /^\/(api\/v1\/)?proof(\/|$)/

const isJson = /^(application\/([\w.-]+\+)?json|application\/x-ndjson|text\/event-stream)\b/

/**
 * Where answers leave over HTTP: JSON has personal values in the place of their references. XML, HTML, CSV and files keep references.
 */
export const readableReply = async (
  handled: Handled,
  path: string,
  personal: Pick<PersonalValues, 'find' | 'counts'>,
): Promise<Handled> => {
  if (isLeft(handled)) {
    const { detail } = handled.left
    return mayHavePersonal(detail)
      ? left({ ...handled.left, detail: await readable(personal, detail) })
      : handled
  }
  const { body, contentType } = handled.right
  if (!isJson.test(contentType) || asStored.test(path)) return handled
  if (typeof body === 'string')
    return mayHavePersonal(body) ? right({ ...handled.right, body: await json(personal, body) }) : handled
  if (!(body instanceof Readable) || !(await hasValues(personal))) return handled
  return right({
    ...handled.right,
    body: Readable.from(events(personal, body), { objectMode: false, highWaterMark: 1 }),
  })
}

const hasValues = async ({ counts }: Pick<PersonalValues, 'counts'>): Promise<boolean> => {
  const found = await counts()()
  return isLeft(found) || found.right.kept + found.right.erased > 0
}

const values = () => import('../../app/readable-values.ts')

const readable = async (personal: Pick<PersonalValues, 'find'>, text: string): Promise<string> =>
  (await (await values()).readableValue(personal, [text]))[0]!

const json = async (personal: Pick<PersonalValues, 'find'>, text: string): Promise<string> =>
  (await values()).readableJson(personal, text)

/** Each piece has whole lines. */
async function* events(personal: Pick<PersonalValues, 'find'>, pieces: AsyncIterable<unknown>) {
  for await (const piece of pieces) yield await json(personal, String(piece))
}
