import type { HttpResponse } from '@fonds/download'
import { PermanentFailure } from '@fonds/download'
import { askAllowed, mayPass } from '@fonds/download/http'
import { errorMessage } from '../../../async/errors.ts'
import { type Step, type StepContext, StepFailure, type StepTools } from './step.ts'

/** Body of the callback; it is the same each time, so that the depositor's server can recognise a repeat by the job. */
interface CallbackBody {
  readonly job: number
  readonly batch: string
  readonly object: string | undefined
  readonly version: number | undefined
  readonly localIds: readonly string[]
  readonly files: number | undefined
  readonly bytes: number | undefined
  readonly state: 'recorded'
}

/** I33, I34: a callback without a successful answer after its retries fails the job (C17). */
export const notify: Step<'notify'> = async ({ job, facts, found }, tools, context) => {
  const { batch, callback } = facts
  if (callback === undefined) return {}
  const { address, headers } = addressOf(callback, job)
  const { ark, version, files, bytes, localIds = facts.localIds } = found
  const body: CallbackBody = { job, batch, object: ark, version, localIds, files, bytes, state: 'recorded' }
  const answer = await deliver(address, headers, body, tools, context)
  const { status, ok } = answer
  await tools.callbackMade({ job, batch, callback: address, status, ok })
  if (ok) return {}
  throw new StepFailure(
    `${address} ${answer.description}; the object is stored, and the depositor was not notified`,
  )
}

/** Returns `<callback>/mc/<job>`, and the URL's user name and password as a header. */
const addressOf = (callback: string, job: number) => {
  const url = new URL(callback)
  const { username, password } = url
  url.username = ''
  url.password = ''
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/mc/${job}`
  const login = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  const authorization = `Basic ${Buffer.from(login).toString('base64')}`
  return { address: url.href, headers: username === '' && password === '' ? {} : { authorization } }
}

interface Answered {
  /** 0 if there was no answer. */
  readonly status: number
  readonly ok: boolean
  /** Continues a sentence that begins with the URL. */
  readonly description: string
  /** A retry may succeed. */
  readonly mayPass: boolean
}

const deliver = async (
  address: string,
  headers: Readonly<Record<string, string>>,
  body: CallbackBody,
  tools: StepTools,
  context: StepContext,
): Promise<Answered> => {
  const { clock, callbacks } = tools
  for (let tried = 1; ; tried++) {
    const answered = await deliverOnce(address, headers, body, tools, context)
    context.signal.throwIfAborted()
    if (answered.ok || !answered.mayPass || tried === callbacks.tries) return answered
    await clock.sleep(callbacks.pauseMillis * 2 ** (tried - 1), context.signal)
    context.signal.throwIfAborted()
    context.progress()
  }
}

const deliverOnce = async (
  address: string,
  headers: Readonly<Record<string, string>>,
  body: CallbackBody,
  { callbacks: { client, allowed, limitMillis } }: StepTools,
  { signal }: StepContext,
): Promise<Answered> => {
  const asking = {
    signal: AbortSignal.any([signal, AbortSignal.timeout(limitMillis)]),
    begun: () => {},
  }
  const job = {
    address,
    method: 'POST' as const,
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  }
  try {
    await using answer: HttpResponse = await askAllowed(client, job, allowed, asking)
    const { status } = answer
    const ok = status >= 200 && status < 300
    return { status, ok, description: `answered ${status}`, mayPass: mayPass(status) }
  } catch (error) {
    return {
      status: 0,
      ok: false,
      description: errorMessage(error),
      mayPass: !(error instanceof PermanentFailure),
    }
  }
}
