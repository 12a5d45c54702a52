import { X509Certificate } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { TLSSocket } from 'node:tls'
import type { FastifyRequest } from 'fastify'
import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import { listed, referenceOf, shortText } from '../../domain/kernel/identity.ts'
import { type Granting, permissionOf } from '../../domain/kernel/permission.ts'
import type { ProxyHeaders } from '../../domain/kernel/proxy-headers.ts'
import type { Person } from '../../ports/people.ts'
import type { Caller } from '../http/caller.ts'
import { type DetailedProblem, problem, refuse } from '../http/refuse.ts'
import { equals } from '../http/sessions.ts'
import { utf8Of } from './header-text.ts'

/** The header by which a proxy proves itself. */
export const secretHeader = 'fonds-proxy-secret'

interface ProxyOptions {
  readonly headers: ProxyHeaders
  readonly granting: Granting
  readonly secret?: string | undefined
  /** PEM of its certificates. */
  readonly certificates?: string | undefined
  /** Called with everybody whom the proxy names. */
  readonly onPerson: (person: Person) => void
}

/**
 * Returns who signed in at the proxy, by the headers of a request that the proxy made: it proves itself with a secret, or with
 * the key of a certificate, never by its address. From all other requests these headers are removed, in every spelling. Right
 * of undefined: the proxy names nobody.
 */
export const proxySignIn = (options: ProxyOptions) => {
  const { headers, granting, onPerson } = options
  const names = [headers.user, headers.name, headers.mail, headers.groups].flatMap(
    (name) => name?.toLowerCase() ?? [],
  )
  const isProven = proof(options)

  return (request: FastifyRequest): Either<DetailedProblem, Caller | undefined> => {
    const { raw } = request
    const proven = isProven(raw)
    const hasSecret = raw.headers[secretHeader] !== undefined
    remove(
      raw,
      (name) => (proven ? !names.includes(name) : true) && [...names, secretHeader].includes(spelt(name)),
    )
    if (!proven && hasSecret) return refuse(401, 'wrong-proxy-secret', wrongSecret)
    if (!proven) return right(undefined)
    const twice = names.find((name) => occurrences(raw, name) > 1)
    if (twice)
      return refuse(400, 'ambiguous-proxy', `${twice}: came twice; the proxy must replace what clients send`)
    const text = (name: string | undefined) =>
      shortText(utf8Of(name === undefined ? undefined : raw.headers[name.toLowerCase()]))
    const user = text(headers.user)
    if (user === undefined) return right(undefined)
    const reference = referenceOf('proxy', user)
    if (isLeft(reference)) return refuse(400, 'ambiguous-proxy', `${headers.user}: ${reference.left}`)
    const [name, mail] = [text(headers.name), text(headers.mail)]
    const person = { reference: reference.right, ...(name && { name }), ...(mail && { mail }) }
    const permission = permissionOf(
      groupsOf(utf8Of(headers.groups && raw.headers[headers.groups.toLowerCase()])),
      granting,
    )
    if (permission === undefined) return left(noPermission(person.reference))
    onPerson(person)
    return right({ permission, person, isSession: true })
  }
}

const wrongSecret = `${secretHeader}: is another than FONDS_PROXY_SECRET; the proxy must send that one, once`

export const noPermission = (reference: string): DetailedProblem =>
  problem(
    403,
    'no-permission',
    `${reference} is signed in, and none of their groups may read here: ask who administers Fonds (FONDS_SIGN_IN_READ, FONDS_SIGN_IN_OPERATE, FONDS_SIGN_IN_ADMINISTER)`,
  )

/** Some proxies put bars between the groups. */
const groupsOf = (text: string | undefined): readonly string[] =>
  text === undefined ? [] : text.includes('|') ? text.split('|').map((one) => one.trim()) : listed(text)

/** A name as other programs on the way may have spelt it. */
const spelt = (name: string): string => name.toLowerCase().replaceAll('_', '-')

const remove = ({ headers }: IncomingMessage, isUnwanted: (name: string) => boolean): void => {
  for (const name of Object.keys(headers).filter(isUnwanted)) delete headers[name]
}

/** Counts the lines as they came: Node joins several of one name. */
const occurrences = ({ rawHeaders }: IncomingMessage, name: string): number =>
  rawHeaders.filter((line, i) => i % 2 === 0 && line.toLowerCase() === name).length

const proof = ({ secret, certificates }: ProxyOptions): ((raw: IncomingMessage) => boolean) => {
  const isSecret = secret === undefined ? () => false : equals(secret)
  const pinned = pinnedIn(certificates)
  return (raw) => {
    const sent = raw.headers[secretHeader]
    if (typeof sent === 'string' && occurrences(raw, secretHeader) === 1 && isSecret(sent)) return true
    if (pinned.length === 0) return false
    // The handshake has proven that the other side has the key.
    const shown = (raw.socket as TLSSocket).getPeerX509Certificate?.()
    if (!shown || Date.parse(shown.validTo) < Date.now() || Date.parse(shown.validFrom) > Date.now())
      return false
    return pinned.includes(shown.fingerprint256)
  }
}

const pinnedIn = (pem = ''): readonly string[] =>
  (pem.match(/-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g) ?? []).map(
    (one) => new X509Certificate(one).fingerprint256,
  )
