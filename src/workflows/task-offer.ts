import type { Either } from 'fp-ts/lib/Either.js'
import type * as t from 'io-ts'
import type { Rejection } from '../domain/kernel/rejection.ts'
import type { Projection } from '../projections/runtime/projection.ts'
import type { WorkflowContext } from './workflow.ts'

/** A task for whoever asks over HTTP instead of reading its topic: `POST /api/v1/<path>`. */
export interface TaskOffer<Who extends t.Mixed = t.Mixed, Task extends t.Mixed = t.Mixed> {
  readonly path: string
  /** Generated clients call it so, for ever. */
  readonly operationId: string
  readonly summary: string
  readonly description: string
  /** What asking again with the same idempotency key gives. */
  readonly repeats: string
  /** Who takes it. */
  readonly who: Who
  readonly example: t.TypeOf<Who>
  readonly task: Task
  /** What is answered, in a sentence. */
  readonly returns: string
  /** When there is none. */
  readonly none: { readonly code: string; readonly description: string }
  /** Whose views list the tasks; they show what the log held when a key came. */
  readonly projection: Projection
  /** Left: there is none now. Throws `UnavailableError`. */
  take(
    context: WorkflowContext,
    who: t.TypeOf<Who>,
    key: string | undefined,
  ): Promise<Either<Pick<Rejection, 'message'>, t.TypeOf<Task>>>
}

export const taskOffer = <Who extends t.Mixed, Task extends t.Mixed>(
  offer: TaskOffer<Who, Task>,
): TaskOffer => offer as unknown as TaskOffer
