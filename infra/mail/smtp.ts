import { left, right } from 'fp-ts/lib/Either.js'
import { createTransport } from 'nodemailer'
import type { SentMessageInfo } from 'nodemailer/lib/smtp-connection'
import type { Delivery, Mailer, MailerFailure } from '../../src/ports/mailer.ts'

interface SmtpOptions {
  /** `smtp://<host>:<port>` or, with TLS from the first byte, `smtps://…`. */
  readonly server: string
  readonly from: string
  readonly login?: { readonly username: string; readonly password: string }
  /** Timeout for a server that sends nothing. */
  readonly stallMillis: number
}

/** Sends mails through an SMTP server, with a connection for each. */
export const createSmtpMailer = ({ server, from, login, stallMillis }: SmtpOptions): Mailer => {
  const { hostname, port, protocol } = new URL(server)
  const secure = protocol === 'smtps:'
  const transport = createTransport({
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: port === '' ? (secure ? 465 : 25) : Number(port),
    secure,
    ...(login && { auth: { user: login.username, pass: login.password } }),
    connectionTimeout: stallMillis,
    greetingTimeout: stallMillis,
    socketTimeout: stallMillis,
    dnsTimeout: stallMillis,
    // All content is made here: it needs neither files nor URLs.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return {
    send:
      ({ to, subject, text, messageId, attachments }) =>
      async () => {
        try {
          const sent = await transport.sendMail({
            from,
            to: [...to],
            subject: subject.replace(/\s+/g, ' '),
            text,
            messageId,
            attachments: attachments.map(({ name, text: content }) => ({ filename: name, content })),
            headers: { 'Auto-Submitted': 'auto-generated' },
          })
          return right(deliveryOf(sent))
        } catch (error) {
          return left(failureOf(error as SmtpError))
        }
      },
  }
}

const deliveryOf = ({ accepted, rejected, rejectedErrors = [] }: SentMessageInfo): Delivery => ({
  accepted,
  refused: rejected.map((to) => {
    const error = rejectedErrors.find(({ recipient }) => recipient === to)
    return { to, reason: error?.response ?? error?.message ?? 'the mail server did not say why' }
  }),
})

interface SmtpError extends Error {
  readonly code?: string
  readonly responseCode?: number
  /** The server's response. */
  readonly response?: string
  readonly recipient?: string
  /** Set if it refused all recipients. */
  readonly rejectedErrors?: readonly SmtpError[]
  /** The command that was under way when it failed. */
  readonly command?: string
}

/** 4xx is temporary, 5xx permanent. Without a response it depends on whether the server had all of the mail. */
const failureOf = ({ responseCode, command, message, rejectedErrors = [] }: SmtpError): MailerFailure => {
  const recipients = rejectedErrors.map(({ recipient, response = '' }) => `${recipient}: ${response}`)
  if (responseCode !== undefined && responseCode >= 500)
    return { kind: 'Refused', reason: recipients.join('; ') || message }
  if (responseCode === undefined && command === 'DATA') return { kind: 'Uncertain', reason: message }
  return { kind: 'Unavailable', reason: message }
}
