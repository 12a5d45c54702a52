import type { TaskEither } from 'fp-ts/lib/TaskEither.js'

/** Not taken: the answer, or why there was none. */
export interface WebhookFailure {
  readonly reason: string
}

export interface Webhook {
  /** Posts JSON. `id` is the same for the same message, so that who gets it twice can tell. */
  post(body: string, id: string): TaskEither<WebhookFailure, void>
}
