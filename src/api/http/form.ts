import type { Multipart } from '@fastify/multipart'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { errorMessage } from '../../async/errors.ts'
import { withTimeout } from '../../async/with-timeout.ts'
import { SECOND } from '../../domain/kernel/time.ts'
import type { FormPart } from '../../workflows/intake.ts'
import { letPass } from './let-pass.ts'
import { type DetailedProblem, problem } from './refuse.ts'
import type { FormLimits } from './route.ts'

/** The form is invalid, or the request was interrupted. */
export class UnusableForm extends Error {
  override readonly name = 'UnusableForm'
  readonly problem: DetailedProblem

  constructor(problem: DetailedProblem, cause?: unknown) {
    super(problem.detail, { cause })
    this.problem = problem
  }
}

const maxFields = 1000
const maxFieldBytes = 64 * 1024

/** Returns the parts of a form as they arrive; undefined if the body is no form. They throw `UnusableForm`. */
export const formOf = (
  request: FastifyRequest,
  reply: FastifyReply,
  limits: FormLimits,
): AsyncIterable<FormPart> | undefined =>
  request.isMultipart() ? partsOf(request, reply, limits) : undefined

async function* partsOf(
  request: FastifyRequest,
  reply: FastifyReply,
  { maxFiles, stallMillis, clock }: FormLimits,
): AsyncGenerator<FormPart> {
  const { raw } = request
  const limits = {
    files: maxFiles + 1,
    fields: maxFields,
    parts: maxFiles + 1 + maxFields,
    fieldSize: maxFieldBytes,
    fileSize: Number.POSITIVE_INFINITY,
  }
  const inTime = <A>(waiting: Promise<A>): Promise<A> =>
    withTimeout(waiting, stallMillis, () => tooSlow(stallMillis), clock)
  try {
    const parts = request.parts({ limits, preservePath: true })
    for await (const part of each(parts, inTime)) yield asPart(part, inTime)
  } finally {
    if (!raw.readableEnded && !raw.destroyed) {
      // It is refused before it has arrived in full: its connection is not used again.
      reply.header('connection', 'close')
      await withTimeout(letPass(raw.unpipe()), stallMillis, () => undefined, clock)
    }
  }
}

type InTime = <A>(waiting: Promise<A>) => Promise<A>

/** Yields items as long as each comes in time. */
async function* each<A>(source: AsyncIterable<A>, inTime: InTime): AsyncGenerator<A> {
  const iterator = source[Symbol.asyncIterator]()
  try {
    for (;;) {
      const next = await inTime(iterator.next())
      if (next.done) return
      yield next.value
    }
  } catch (error) {
    throw error instanceof UnusableForm ? error : unusable(error)
  } finally {
    // Not awaited: a source that stalls does not return.
    void iterator.return?.()?.catch(() => {})
  }
}

const asPart = (part: Multipart, inTime: InTime): FormPart => {
  const { fieldname: name } = part
  if (part.type === 'file') {
    const { filename, file } = part
    if (filename?.includes(replaced)) throw noUtf8(name, 'the name of a file')
    return { kind: 'file', name, filename: filename || undefined, bytes: each(file, inTime) }
  }
  if (part.valueTruncated || part.fieldnameTruncated)
    throw new UnusableForm(
      problem(413, 'too-large', `${name}: is over ${maxFieldBytes} bytes; a field is a short text`, {
        path: name,
      }),
    )
  const value = String(part.value)
  if (value.includes(replaced)) throw noUtf8(name, 'the value')
  return { kind: 'field', name, value }
}

/** The parser's replacement for bytes that are not UTF-8: no client means it, and the original is lost. */
const replaced = '\uFFFD'

const noUtf8 = (name: string, what: string): UnusableForm =>
  new UnusableForm(
    problem(
      400,
      'not-utf8',
      `${name}: ${what} is no UTF-8, or has U+FFFD in it, which stands for that; send UTF-8`,
      {
        path: name,
      },
    ),
  )

const tooSlow = (millis: number): never => {
  throw new UnusableForm(
    problem(408, 'too-slow', `no data of the form arrived for ${millis / SECOND} seconds; send it again`),
  )
}

/** Errors of limits have a status; any other means an invalid form. */
const unusable = (error: unknown): UnusableForm => {
  const reason = errorMessage(error)
  return (error as { statusCode?: number }).statusCode === 413
    ? new UnusableForm(problem(413, 'too-large', `the form has too many parts: ${reason}`), error)
    : new UnusableForm(
        problem(400, 'bad-form', `the form is malformed or incomplete: ${reason}; send it again`),
        error,
      )
}
