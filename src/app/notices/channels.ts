import { type Either, left, right } from 'fp-ts/lib/Either.js'
import type { Logger } from 'pino'
import { recipientOf } from '../../domain/kernel/person.ts'
import type { Mailer } from '../../ports/mailer.ts'
import type { People } from '../../ports/people.ts'
import { addressesOf, withoutAddress } from '../../workflows/persons.ts'
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
  people,
  log,
}: Pick<System, 'config' | 'mailer' | 'webhook' | 'people' | 'log'>): readonly Channel[] => {
  const to = config.noticesMail?.split(',').map((one) => recipientOf(one.trim()) ?? one)
  return [
    ...(to && mailer ? [mailChannel('mail', to, { mailer, people, log })] : []),
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

interface Mailing {
  readonly mailer: Mailer
  readonly people: People
  readonly log: Logger
}

/** Mails every notice to these people, by the addresses that are kept at that time. */
export const mailChannel = (
  name: string,
  recipients: readonly string[],
  { mailer, people, log }: Mailing,
): Channel => ({
  name,
  send: async ({ id, subject, text }: NoticeMessage) => {
    const messageId = `<${id}@notices.fonds>`
    const { recipientOf, without } = await addressesOf({ people }, recipients)
    if (recipientOf.size === 0) return left(withoutAddress(without))
    if (without.length > 0) log.error({ channel: name }, withoutAddress(without))
    const to = [...recipientOf.keys()]
    const sent = await mailer.send({ to, subject, text, messageId, attachments: [] })()
    if (sent._tag === 'Left') return left(sent.left.reason)
    for (const refused of sent.right.refused)
      log.error(refused, 'the mail server refuses a notice for this recipient')
    return right(undefined)
  },
})
