import type { FastifyInstance, InjectOptions } from 'fastify'
import { expect, onTestFinished } from 'vitest'
import type { ApiOptions } from '../../src/api/context.ts'
import { createApi } from '../../src/api/create-api.ts'
import type { Config, Edge, Role } from '../../src/app/config/settings.ts'
import { startRoles } from '../../src/app/roles.ts'
import type { System } from '../../src/app/system.ts'
import { ensureTopics } from '../../src/app/topics.ts'
import { openTestSystem } from '../fakes/system.ts'
import { conformanceTo } from './conformance.ts'

interface Given {
  readonly settings?: Partial<Config>
  /** Views keep their history: for questions as of an older moment. */
  readonly keepsHistory?: boolean
  readonly options?: ApiOptions
  /** Roles at work in the same process; none: only the server. */
  readonly roles?: readonly Exclude<Role, Edge>[]
  /** A part of the system put in another's place. */
  readonly replace?: (system: System) => Partial<System>
}

/** Any answer; a problem or a body with fields. */
export interface Answered {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: the document says what bodies hold, and each answer is held against it
  readonly body: any
}

/** A server on a real system, for one test. Every answer is held against the OpenAPI document. */
export const startServer = async ({
  settings = {},
  keepsHistory = false,
  options = {},
  roles,
  replace,
}: Given = {}) => {
  const opened = await openTestSystem(settings, { keepsHistory })
  const system: System = { ...opened, ...replace?.(opened) }
  await ensureTopics(opened)
  const running = roles && (await startRoles(opened, roles))
  const app = await createApi(system, { ...(running && { running }), ...options })
  onTestFinished(async () => {
    await app.close()
    await running?.stop()
    await opened.close()
  })
  const { document, fault } = await promisesOf(app, system, settings.token)

  const request = async (asked: InjectOptions & { readonly url: string }): Promise<Answered> => {
    const response = await app.inject(asked)
    const { statusCode: status, headers, body: text } = response
    const contentType = headers['content-type']?.toString()
    const url = asked.url
    if (!isUnrouted(text))
      expect(fault({ method: asked.method ?? 'GET', url, status, contentType, body: text })).toBe(undefined)
    return {
      status,
      headers,
      text,
      body: /[/+]json(;|$)/.test(contentType ?? '') ? JSON.parse(text) : undefined,
    }
  }

  return {
    system,
    app,
    running,
    document,
    request,
    get: (url: string, headers = {}) => request({ url, headers }),
    post: (url: string, payload: unknown, headers: Record<string, string> = {}) =>
      request({ method: 'POST', url, payload: JSON.stringify(payload), headers: { ...asJson, ...headers } }),
  }
}

/** Of the same declarations and routes the document is the same: it is asked for and read once. */
const known: {
  readonly declared: readonly unknown[]
  readonly ofRoutes: Map<string, ReturnType<typeof ask>>
}[] = []

const declaredIn = ({ workflows }: System): readonly unknown[] =>
  workflows.flatMap(({ questions, commands, topics, projections, addresses, intakes, offers }) => [
    ...[questions, commands, topics, projections],
    ...[addresses, intakes, offers],
  ])

const knownOf = (system: System) => {
  const declared = declaredIn(system)
  const isSame = (other: readonly unknown[]): boolean =>
    other.length === declared.length && other.every((one, i) => one === declared[i])
  const found = known.find((one) => isSame(one.declared)) ?? { declared, ofRoutes: new Map() }
  if (!known.includes(found)) known.push(found)
  return found.ofRoutes
}

const promisesOf = async (app: FastifyInstance, system: System, token: string | undefined) => {
  const ofRoutes = knownOf(system)
  await app.ready()
  const routes = app.printRoutes({ commonPrefix: false })
  const asked = ofRoutes.get(routes) ?? ask(app, token)
  ofRoutes.set(routes, asked)
  return asked
}

const ask = async (app: FastifyInstance, token: string | undefined) => {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
  const answer = await app.inject({ url: '/api/v1/openapi.json', headers })
  const document = answer.json()
  return { document, fault: conformanceTo(document) }
}

const asJson = { 'content-type': 'application/json' }

/** Answers of no route are in no document. */
const isUnrouted = (text: string): boolean => /"code":"no-such-(route|command|method)"/.test(text)
