import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { Unavailable } from './unavailable.ts'

export interface Mail {
  readonly to: readonly string[]
  readonly subject: string
  readonly text: string
  /** `<…@…>`: the same for the same mail, so that a mailbox shows it once. */
  readonly messageId: string
  readonly attachments: readonly { readonly name: string; readonly text: string }[]
}

export type MailerFailure =
  /** The server will refuse it the next time, too. */
  | { readonly kind: 'Refused'; readonly reason: string }
  /** The connection broke when the server had all of it: it may have been sent. */
  | { readonly kind: 'Uncertain'; readonly reason: string }
  /** It was not sent. */
  | Unavailable

/** The outcome for each recipient: a mail that some refuse goes to the others. */
export interface Delivery {
  readonly accepted: readonly string[]
  readonly refused: readonly { readonly to: string; readonly reason: string }[]
}

export interface Mailer {
  send(mail: Mail): TaskEither<MailerFailure, Delivery>
}
