import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { annotate } from '../kernel/annotation.ts'

/*
 * ARKs: `ark:/<NAAN>/<name>`. The form without the first slash names the same object, hyphens mean nothing, and the NAAN
 * is in lower case: one object has one text here.
 */

const form = /^ark:\/?([0-9a-z]{5,16})\/([!-~]{1,200})$/i
const maxLength = 255

/** The one text of an ARK; undefined where it is none. */
export const normaliseArk = (text: string): string | undefined => {
  const [, naan, name] = form.exec(text.trim()) ?? []
  const plain = name?.replaceAll('-', '').replace(/[/.]+$/, '')
  if (naan === undefined || !plain || /^[/.]|[/.]{2}|[\\#?%|]/.test(plain)) return undefined
  const ark = `ark:/${naan.toLowerCase()}/${plain}`
  return ark.length <= maxLength ? ark : undefined
}

/** An ARK in any of its spellings; decoded to the one that it has here. */
export const Ark = annotate(
  new t.Type<string, string, unknown>(
    'ARK (ark:/NAAN/name)',
    (u): u is string => typeof u === 'string' && normaliseArk(u) === u,
    (u, context) =>
      pipe(
        t.string.validate(u, context),
        E.chain((text) => {
          const ark = normaliseArk(text)
          return ark === undefined ? t.failure(u, context) : t.success(ark)
        }),
      ),
    t.identity,
  ),
  {
    type: 'string',
    maxLength,
    pattern: '^[aA][rR][kK]:/?[0-9a-zA-Z]{5,16}/.+$',
    examples: ['ark:/99999/fk4abc'],
  },
)

/** Digits and consonants without `l`: what NOID writes names with. */
export const betanumeric = '0123456789bcdfghjkmnpqrstvwxz'

/** NOID's check character of `NAAN/name`: it finds one wrong character, and two that changed places. */
export const checkCharacter = (text: string): string => {
  const sum = [...text].reduce((total, c, i) => total + Math.max(0, betanumeric.indexOf(c)) * (i + 1), 0)
  return betanumeric.charAt(sum % betanumeric.length)
}

/** Does it end with its check character? Only names that were minted with one do. */
export const isChecked = (ark: string): boolean => {
  const text = ark.replace(/^ark:\/?/, '')
  return text.length > 1 && checkCharacter(text.slice(0, -1)) === text.at(-1)
}
