import type { Either } from 'fp-ts/lib/Either.js'
import type * as t from 'io-ts'
import type { Rejection } from '../domain/kernel/rejection.ts'
import type { Projection } from '../projections/runtime/projection.ts'
import type { WorkflowContext } from './workflow-context.ts'

/** A task that may be taken over HTTP, by programs that do not read its topic: `POST /api/v1/<path>`. */
export interface TaskOffer<Who extends t.Mixed = t.Mixed, Task extends t.Mixed = t.Mixed> {
  readonly path: string
  /** Its name in generated clients: it never changes. */
  readonly operationId: string
  readonly summary: string
  readonly description: string
  /** Result of a repeated idempotency key. */
  readonly repeats: string
  /** Codec of the body: the worker that takes it. */
  readonly who: Who
  readonly example: t.TypeOf<Who>
  readonly task: Task
  /** Description of the answer, in a sentence. */
  readonly returns: string
  /** The problem if there is no task. */
  readonly none: { readonly code: string; readonly description: string }
  /** Its views list the tasks; with a key they are brought up to date first. */
  readonly projection: Projection
  /** Left: there is no task now. Throws `UnavailableError`. */
  take(
    context: WorkflowContext,
    who: t.TypeOf<Who>,
    key: string | undefined,
  ): Promise<Either<Pick<Rejection, 'message'>, t.TypeOf<Task>>>
}

export const taskOffer = <Who extends t.Mixed, Task extends t.Mixed>(
  offer: TaskOffer<Who, Task>,
): TaskOffer => offer as unknown as TaskOffer
