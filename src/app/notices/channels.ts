import { type Either, left, right } from 'fp-ts/lib/Either.js'
import type { System } from '../system.ts'
import type { NoticeMessage } from './message.ts'

/** A way to tell people. */
export interface Channel {
  readonly name: 'mail' | 'webhook'
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
    ...(to && mailer
      ? [
          {
            name: 'mail' as const,
            send: async ({ id, subject, text }: NoticeMessage) => {
              const sent = await mailer.send({
                to,
                subject,
                text,
                messageId: `<${id}@notices.fonds>`,
                attachments: [],
              })()
              if (sent._tag === 'Left') return left(sent.left.reason)
              for (const refused of sent.right.refused)
                log.error(refused, 'the mail server refuses a notice for this recipient')
              return right(undefined)
            },
          },
        ]
      : []),
    ...(webhook
      ? [
          {
            name: 'webhook' as const,
            send: async ({ id, json }: NoticeMessage) => {
              const sent = await webhook.post(json, id)()
              return sent._tag === 'Left' ? left(sent.left.reason) : right(undefined)
            },
          },
        ]
      : []),
  ]
}
