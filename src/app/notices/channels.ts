import { type Either, left, right } from 'fp-ts/lib/Either.js'
import type { Logger } from 'pino'
import type { Mailer } from '../../ports/mailer.ts'
import type { System } from '../system.ts'
import type { NoticeMessage } from './message.ts'

/** A way to tell people. */
export interface Channel {
  /** Names its stream: `mail`, `webhook`, or one for each person whom something was given to. */
  readonly name: string
  /** Left: why it was not taken. */
  send(message: NoticeMessage): Promise<Either<string, void>>
}

/** Those that are set. */
export const channelsOf = ({
  config,
  mailer,
  webhook,
  log,
}: Pick<System, 'config' | 'mailer' | 'webhook' | 'log'>): readonly Channel[] => {
  const to = config.noticesMail?.split(',').map((address) => address.trim())
  return [
    ...(to && mailer ? [mailChannel('mail', to, { mailer, log })] : []),
    ...(webhook
      ? [
          {
            name: 'webhook',
            send: async ({ id, json }: NoticeMessage) => {
              const sent = await webhook.post(json, id)()
              return sent._tag === 'Left' ? left(sent.left.reason) : right(undefined)
            },
          },
        ]
      : []),
  ]
}

/** Mails every notice to these addresses. */
export const mailChannel = (
  name: string,
  to: readonly string[],
  { mailer, log }: { readonly mailer: Mailer; readonly log: Logger },
): Channel => ({
  name,
  send: async ({ id, subject, text }: NoticeMessage) => {
    const messageId = `<${id}@notices.fonds>`
    const sent = await mailer.send({ to, subject, text, messageId, attachments: [] })()
    if (sent._tag === 'Left') return left(sent.left.reason)
    for (const refused of sent.right.refused)
      log.error(refused, 'the mail server refuses a notice for this recipient')
    return right(undefined)
  },
})
