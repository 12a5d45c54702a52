import { left, right } from 'fp-ts/lib/Either.js'
import type { Webhook } from '../../src/ports/webhook.ts'

interface WebhookOptions {
  readonly address: string
  /** A receiver that has not answered after so long is given up. */
  readonly timeoutMillis: number
}

/** Any 2xx is a yes. Redirects are not followed: what is told is for this address alone. */
export const createWebhook = ({ address, timeoutMillis }: WebhookOptions): Webhook => ({
  post: (body, id) => async () => {
    const { fetch } = await import('undici')
    try {
      const answer = await fetch(address, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'idempotency-key': id, 'user-agent': 'fonds' },
        body,
        redirect: 'manual',
        signal: AbortSignal.timeout(timeoutMillis),
      })
      // Its text is not wanted: the connection is closed and not read to its end.
      await answer.body?.cancel()
      return answer.ok ? right(undefined) : left({ reason: `it answers ${answer.status}` })
    } catch (error) {
      const { cause, message } = error as Error
      return left({ reason: cause instanceof Error ? cause.message || message : message })
    }
  },
})
