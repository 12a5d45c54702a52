import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import type * as t from 'io-ts'
import { v5 as uuidv5 } from 'uuid'
import { isObject } from '../../domain/kernel/envelope.ts'
import { maxValueBytes, parseJson } from '../../domain/kernel/json-text.ts'
import { isBlank, type Line, lineTooLarge, readLines } from '../produce/read-lines.ts'
import { decodeFields } from './read-fields.ts'

/** A line of a list, as the input of a command. */
export interface Wish {
  /** From 1. */
  readonly line: number
  readonly input: unknown
  /** The same for the same input, in whatever line. */
  readonly key: string
}

type Fields = Readonly<Record<string, unknown>>

/** UUIDv5 namespace of the keys made here. */
const namespace = '0b7c4f0e-3f0d-5a54-9d0c-6f6f3a1a9b52'

/**
 * Lines of JSON objects, each with its own fields beside the `common` ones. All are in memory, since none may be dispatched
 * before the last is decoded. Left: a sentence for each invalid line.
 */
export const readList = async (
  chunks: AsyncIterable<Uint8Array | string>,
  codec: t.Mixed,
  common: Fields,
): Promise<Either<readonly string[], readonly Wish[]>> => {
  const wishes: Wish[] = []
  const invalid: string[] = []
  for await (const lines of readLines(chunks, maxValueBytes))
    for (const line of lines) {
      const read = readWish(line, codec, common)
      if (read === undefined) continue
      if (isLeft(read)) invalid.push(`line ${line.number}: ${read.left}`)
      else wishes.push(read.right)
    }
  return invalid.length > 0 ? left(invalid) : right(wishes)
}

/** Undefined for an empty line. */
const readWish = (line: Line, codec: t.Mixed, common: Fields): Either<string, Wish> | undefined => {
  if (line.kind === 'part') return undefined
  if (line.kind === 'too-long') return left(lineTooLarge(line.size, maxValueBytes).message)
  if (isBlank(line.bytes)) return undefined
  const json = parseJson(line.bytes)
  if (isLeft(json)) return left(json.left.message)
  const own = json.right
  if (!isObject(own)) return left('it is no JSON object; write {"field": value, …}')
  const twice = Object.keys(own).find((name) => Object.hasOwn(common, name))
  if (twice !== undefined) return left(`${twice} is given for all lines, too; give it in one place`)
  const input = decodeFields(codec, { ...common, ...own })
  if (isLeft(input))
    return left([input.left.message, ...(input.left.hint ? [input.left.hint] : [])].join('; '))
  return right({ line: line.number, input: input.right, key: keyOf(codec.encode(input.right)) })
}

/** The order of the fields does not count. */
const keyOf = (input: object): string => uuidv5(JSON.stringify(Object.entries(input).sort()), namespace)
