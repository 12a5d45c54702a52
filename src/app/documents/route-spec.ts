import type * as t from 'io-ts'
import type { Permission } from '../../domain/kernel/permission.ts'

/**
 * One HTTP route as data. The server registers routes from these and decodes with their codecs, and the OpenAPI
 * document is generated from them, so the two cannot drift apart.
 */
export interface RouteSpec {
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete'
  /** With names in braces: `/views/{view}`. `{path+}` at its end takes slashes, too. */
  readonly path: string
  /** Served as well, and not documented. */
  readonly formerPath?: string
  /** Permanent name of the operation; generated clients use it. */
  readonly operationId: string
  readonly summary: string
  readonly description?: string
  readonly tags?: readonly string[]
  readonly parameters: readonly ParameterSpec[]
  readonly requestBody?: BodySpec
  /** Ignores query parameters that are not described. Absent: they are refused. */
  readonly ignoresUnknown?: boolean
  /** By status code. */
  readonly responses: Readonly<Record<number, ResponseSpec>>
  readonly problems: readonly ProblemSpec[]
  /** Permission that calling it needs. Absent: `read`, of a `get`; every other route says it. */
  readonly permission?: Permission
  /** It needs no token. Absent: no. */
  readonly open?: boolean
}

export interface ParameterSpec {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly description: string
  /** Decodes the text of the request (a list, where the codec takes one). */
  readonly codec: t.Mixed
  /** Path parameters always are. */
  readonly required?: boolean
  readonly example?: unknown
}

export interface BodySpec {
  readonly description: string
  readonly codec: t.Mixed
  /** application/json where absent. */
  readonly contentType?: string
  readonly example?: unknown
  /** Other content types; the handler then distinguishes them. */
  readonly others?: readonly Representation[]
}

export interface ResponseSpec {
  readonly description: string
  /** Absent: no body. For a stream (`text/event-stream`), the data of each event. */
  readonly codec?: t.Mixed
  /** Its name among the document's schemas. Absent: the schema is inlined. */
  readonly schemaName?: string
  readonly contentType?: string
  readonly example?: unknown
  /** Other content types that a client may accept. */
  readonly others?: readonly Representation[]
}

/** A content type with its shape. */
interface Representation {
  readonly contentType: string
  readonly codec?: t.Mixed
  readonly example?: unknown
}

/** A `Problem` with this code that the route may answer with. */
export interface ProblemSpec {
  readonly status: number
  /** Absent: any code of the domain's rejections. */
  readonly code?: string
  readonly description: string
}

/** Permission that a route needs; `open`: none. Undefined for one that writes and does not say it, which is a contradiction. */
export const neededFor = ({
  open,
  permission,
  method,
}: Pick<RouteSpec, 'open' | 'permission' | 'method'>): Permission | 'open' | undefined =>
  open ? 'open' : (permission ?? (method === 'get' ? 'read' : undefined))

const pathParameters = (path: string): string[] =>
  [...path.matchAll(/\{(\w+)\+?\}/g)].map((match) => match[1]!)

/** The path as the server's router writes it: `/views/:view`, `/tile/*`. */
export const routerPath = (path: string): string =>
  path.replace(/\{\w+\+\}$/, '*').replaceAll(/\{(\w+)\}/g, ':$1')

/** The path as OpenAPI writes it. */
export const documentedPath = (path: string): string => path.replace(/\+\}$/, '}')

/** Returns contradictions in a list of routes, a sentence each; none in a list that can be served and documented. */
export const contradictionsIn = (routes: readonly RouteSpec[]): string[] => {
  const seen = new Set<string>()
  const unique = (name: string): string[] => {
    const contradictions = seen.has(name) ? [`${name} is there twice`] : []
    seen.add(name)
    return contradictions
  }
  return routes.flatMap((route) => {
    const name = `${route.method} ${route.path}`
    const inPath = pathParameters(route.path)
    const described = route.parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name)
    return [
      ...unique(name),
      ...unique(`operation ${route.operationId}`),
      ...inPath.filter((p) => !described.includes(p)).map((p) => `${name}: {${p}} is not described`),
      ...described.filter((p) => !inPath.includes(p)).map((p) => `${name}: ${p} is not in the path`),
      ...(neededFor(route) === undefined ? [`${name}: says no permission, and is not open`] : []),
      ...(Object.keys(route.responses).length === 0 ? [`${name}: has no response`] : []),
      ...route.problems
        .filter(({ status }) => route.responses[status] !== undefined)
        .map(({ status }) => `${name}: ${status} is both a response and a problem`),
    ]
  })
}
