import type { TaskEither } from 'fp-ts/lib/TaskEither.js'

/** The message was not accepted: the response, or why there was none. */
export interface WebhookFailure {
  readonly reason: string
}

export interface Webhook {
  /** Posts JSON. `id` is the same for the same message, so that its receiver recognises a repeat. */
  post(body: string, id: string): TaskEither<WebhookFailure, void>
}
