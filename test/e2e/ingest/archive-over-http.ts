import { pathToFileURL } from 'node:url'
import { type Line, until } from '../run-fonds.ts'

/** An archive as programs see it: what they submit, ask and command over HTTP. */
export const archiveOverHttp = (address: string) => {
  const get = async (path: string): Promise<Line> => {
    const answer = await fetch(`${address}/api/v1/ingest/${path}`, {
      headers: { accept: 'application/json' },
    })
    const body = await answer.text()
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${body}`)
    return JSON.parse(body)
  }
  const post = async (path: string, body: object) => {
    const answer = await fetch(`${address}/api/v1/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    return { status: answer.status, body: (await answer.json()) as Line }
  }
  /** None where its batch is not in the views yet. */
  const jobsOf = async (batch: string): Promise<readonly Line[]> => {
    const found = await get(`jobs?batch=${batch}`).catch((cause: Error) => {
      if (!cause.message.includes('no-such-batch')) throw cause
    })
    return found?.jobs ?? []
  }
  return {
    get,
    post,
    jobsOf,
    /** The public id of its batch. `path`: of this machine. */
    submit: async (path: string, submission: object = {}): Promise<string> => {
      const { payload = {}, ...more } = submission as { readonly payload?: object }
      const { status, body } = await post('ingest/submissions', {
        profile: 'default',
        submitter: 'ada',
        mode: 'add',
        payload: { url: path.includes(':') ? path : pathToFileURL(path).href, ...payload },
        ...more,
      })
      if (status !== 202) throw new Error(`${path} was not taken: ${JSON.stringify(body)}`)
      return body.batch
    },
    /** As a person does; throws where it is refused. */
    command: async (name: string, input: object): Promise<void> => {
      const { status, body } = await post(`commands/ingest.${name}`, { actor: 'ada', reason: 'asked', input })
      if (status >= 300) throw new Error(`${name} was refused: ${JSON.stringify(body)}`)
    },
    /** The job, once this is so. */
    jobWhen: (job: number, what: string, is: (job: Line) => boolean): Promise<Line> =>
      until(`job ${job} ${what}`, async () => {
        const found = await get(`jobs/${job}`)
        return is(found) && found
      }),
    /** The batch, once it is in one of these states. */
    batchIs: (batch: string, ...states: readonly string[]): Promise<Line> =>
      until(`batch ${batch} is ${states.join(' or ')}`, async () => {
        const found = await get(`batches/${batch}`).catch(() => undefined)
        return found && states.includes(found.state) && found
      }),
  }
}
