/** An error that S3 answers with: a status, a code and a sentence. */
export class Refusal extends Error {
  readonly status: number
  readonly code: string
  readonly headers: Readonly<Record<string, string>>

  constructor(status: number, code: string, message = code, headers: Readonly<Record<string, string>> = {}) {
    super(message)
    this.status = status
    this.code = code
    this.headers = headers
  }
}

export const notImplemented = (subject: string): Refusal =>
  new Refusal(501, 'NotImplemented', `${subject} is not implemented by this stub`)

export const preconditionFailed = (): Refusal =>
  new Refusal(412, 'PreconditionFailed', 'At least one of the pre-conditions you specified did not hold')

export const badDigest = (algorithm: string): Refusal =>
  new Refusal(400, 'BadDigest', `The ${algorithm} you specified did not match the calculated checksum.`)
