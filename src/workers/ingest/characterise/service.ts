import { setTimeout } from 'node:timers/promises'
import type { HttpClient, HttpRequest, HttpResponse } from '@fonds/download'
import { errorMessage } from '../../../async/errors.ts'
import type { TaskContext } from '../../../async/task-context.ts'
import { keepGoing } from '../steps/keep-going.ts'
import { createAnswer, pathMark, type Tool, ToolFailure } from './tool.ts'

/*
 * An HTTP service. If its URL has the placeholder of the path, it reads the file itself; otherwise it is sent the
 * bytes.
 */

const tries = 3
const pauseMillis = 1000
const accept = 'application/json, application/xml;q=0.9, text/xml;q=0.9, text/plain;q=0.8, */*;q=0.1'

/** A service that is unavailable or restarts, as some do after a difficult file. */
class ServiceAway extends ToolFailure {}

export const serviceTool = (address: string, client: Pick<HttpClient, 'ask'>, limitMillis: number): Tool => ({
  name: address,
  ask: (path, context) =>
    keepGoing(context, async () => {
      for (let tried = 1; ; tried++)
        try {
          return await askOnce(requestOf(address, path), client, limitMillis, context)
        } catch (error) {
          context.signal.throwIfAborted()
          if (!(error instanceof ServiceAway) || tried === tries) throw error
          await setTimeout(pauseMillis * tried, undefined, { signal: context.signal })
        }
    }),
})

const requestOf = (address: string, path: string): HttpRequest => {
  if (address.includes(pathMark))
    return {
      address: address.replaceAll(pathMark, () => encodeURIComponent(path)),
      headers: { accept },
      method: 'GET',
    }
  return {
    address,
    headers: { accept, 'content-type': 'application/octet-stream' },
    method: 'PUT',
    bodyFile: path,
  }
}

const askOnce = async (
  job: HttpRequest,
  client: Pick<HttpClient, 'ask'>,
  limitMillis: number,
  { signal }: TaskContext,
): Promise<string> => {
  const limit = AbortSignal.timeout(limitMillis)
  const asking = { signal: AbortSignal.any([signal, limit]), begun: () => {} }
  try {
    await using answer: HttpResponse = await client.ask(job, asking)
    const { status } = answer
    const body = createAnswer()
    for await (const chunk of answer.body) body.add(chunk)
    if (status >= 200 && status < 300) return body.text()
    const why = `answered ${status}${brief(body.text())}`
    throw status === 429 || status >= 502 ? new ServiceAway(why) : new ToolFailure(why)
  } catch (error) {
    if (limit.aborted) throw new ToolFailure(`gave no answer in ${limitMillis / 1000} s`, { cause: error })
    if (error instanceof ToolFailure) throw error
    throw new ServiceAway(errorMessage(error), { cause: error })
  }
}

const maxBrief = 300

const brief = (text: string): string => {
  const line = text
    .slice(0, 10 * maxBrief)
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  return line === '' ? '' : `: ${line.slice(0, maxBrief).toWellFormed()}`
}
