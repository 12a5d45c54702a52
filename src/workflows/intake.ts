import type { Either } from 'fp-ts/lib/Either.js'
import type * as t from 'io-ts'
import type { WorkflowContext } from './workflow-context.ts'

/** A part of a form, in the order in which they are sent. */
export type FormPart =
  | { readonly kind: 'field'; readonly name: string; readonly value: string }
  | {
      readonly kind: 'file'
      readonly name: string
      /** The client's name for it, with its folders; undefined if it has none. */
      readonly filename: string | undefined
      /** To be read before the next part is requested. Throws when the request breaks off. */
      readonly bytes: AsyncIterable<Uint8Array>
    }

/** A refusal: nothing was taken in. */
export interface IntakeRefusal<Code extends string = string> {
  readonly code: Code
  /** A sentence with what is wrong, and what to do. */
  readonly message: string
  /** The wrong field. */
  readonly path?: string
}

type Answered<Taken extends t.Mixed, Code extends string> = Promise<
  Either<IntakeRefusal<Code>, t.TypeOf<Taken>>
>

/**
 * An intake over HTTP, for people and programs that do not write to its topic: `POST /api/v1/<path>`, as JSON, or as a
 * form with files (multipart/form-data). The submission is on disk, and on its topic, before the response.
 */
export interface Intake<
  Given extends t.Mixed = t.Mixed,
  Taken extends t.Mixed = t.Mixed,
  Code extends string = string,
> {
  readonly path: string
  /** Its name in generated clients: it never changes. */
  readonly operationId: string
  readonly summary: string
  readonly description: string
  /** Effect of a repeated idempotency key. */
  readonly repeats: string
  /** Codec of the body as JSON. */
  readonly given: Given
  readonly example: t.TypeOf<Given>
  /** Absent: JSON alone. */
  readonly form?: {
    /** Its fields and files, for the documents. */
    readonly fields: t.Mixed
    readonly maxFiles: number
    /** Limit of all files together. */
    maxBytes(context: WorkflowContext): number
  }
  /** Default: 202, as what was taken in is worked on later. */
  readonly status?: 201 | 202
  readonly taken: Taken
  /** Description of the answer, in a sentence. */
  readonly returns: string
  readonly refusals: Readonly<
    Record<Code, { readonly status: 400 | 409 | 413 | 507; readonly description: string }>
  >
  /** Both throw `UnavailableError`. `actor`: the reference of who signed in; absent where nobody did. */
  take(
    context: WorkflowContext,
    given: t.TypeOf<Given>,
    key: string | undefined,
    actor?: string,
  ): Answered<Taken, NoInfer<Code>>
  takeForm?(
    context: WorkflowContext,
    parts: AsyncIterable<FormPart>,
    key: string | undefined,
    actor?: string,
  ): Answered<Taken, NoInfer<Code>>
}

export const intake = <Given extends t.Mixed, Taken extends t.Mixed, const Code extends string>(
  spec: Intake<Given, Taken, Code>,
): Intake => spec as unknown as Intake
