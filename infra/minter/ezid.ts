import { setTimeout } from 'node:timers/promises'
import { left, right } from 'fp-ts/lib/Either.js'
import type { Minter, MinterFailure, ObjectCitation } from '../../src/ports/minter.ts'

interface EzidOptions {
  /** `https://ezid.cdlib.org` */
  readonly server: string
  readonly username: string
  readonly password: string
  /** Timeout of one attempt. */
  readonly limitMillis?: number
  /** Pause between two attempts. */
  readonly pauseMillis?: number
}

const tries = 3

/**
 * Identifiers at EZID. They are chosen by us and created by their name, so that a request whose response was lost can
 * be repeated: an identifier that exists is updated.
 */
export const createEzidMinter = (options: EzidOptions): Minter => {
  const { server, username, password, limitMillis = 60_000, pauseMillis = 5000 } = options
  const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`

  const put = async (ark: string, body: string, signal: AbortSignal): Promise<MinterFailure | undefined> => {
    const { fetch } = await import('undici')
    const address = `${server.replace(/\/+$/, '')}/id/${encodeURI(ark)}?update_if_exists=yes`
    try {
      const answer = await fetch(address, {
        method: 'PUT',
        headers: { authorization, 'content-type': 'text/plain; charset=UTF-8' },
        body,
        redirect: 'error',
        signal: AbortSignal.any([signal, AbortSignal.timeout(limitMillis)]),
      })
      const beginning = await beginningOf(answer.body ?? [])
      if (answer.ok && beginning.startsWith('success')) return undefined
      const reason = `EZID answered ${answer.status}: ${beginning}`
      return { kind: answer.status >= 500 || answer.status === 429 ? 'Unavailable' : 'Refused', reason }
    } catch (error) {
      signal.throwIfAborted()
      return { kind: 'Unavailable', reason: `EZID cannot be reached: ${reasonOf(error)}` }
    }
  }

  return {
    register: (ark, citation, signal) => async () => {
      for (let tried = 1; ; tried++) {
        const failure = await put(ark, anvl(citation), signal)
        if (!failure) return right(undefined)
        if (failure.kind === 'Refused' || tried === tries) return left(failure)
        await setTimeout(pauseMillis, undefined, { signal })
      }
    },
  }
}

const beginningBytes = 500

/** Reads, and decompresses, no more of a body than is needed. */
const beginningOf = async (body: AsyncIterable<Uint8Array> | Iterable<never>): Promise<string> => {
  let read = Buffer.alloc(0)
  for await (const chunk of body) {
    read = Buffer.concat([read, chunk])
    if (read.length >= beginningBytes) break
  }
  return read.toString('utf8', 0, beginningBytes).trim()
}

const reasonOf = (error: unknown): string => {
  const { message, cause } = error as Error
  return cause instanceof Error ? cause.message : message
}

const unknown = '(:unas)'

/** One line for each name; percent signs and line breaks are percent-encoded. */
const anvl = ({ who = unknown, what = unknown, when = unknown, owner }: ObjectCitation): string =>
  Object.entries({
    _profile: 'erc',
    'erc.who': who,
    'erc.what': what,
    'erc.when': when,
    'fonds.owner': owner,
  })
    .map(([word, value]) => `${word}: ${value.replace(/[%\r\n]/g, escaped)}\n`)
    .join('')

const escaped = (c: string): string => `%${c.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`
