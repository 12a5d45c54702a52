import { escapeText } from '../escape-text.ts'
import { S3Error } from './errors.ts'
import type { S3Settings } from './settings.ts'

/** Where the requests to one bucket go. */
export interface Place {
  /** `https://host[:port]`. */
  readonly origin: string
  readonly hostname: string
  readonly port?: number
  readonly protocol: string
  /** Comes before each key's path: empty, or `/bucket` in path style. */
  readonly base: string
  readonly region: string
  /** It is AWS itself: another region has another host. */
  readonly isAws: boolean
}

type Env = Readonly<Record<string, string | undefined>>

/**
 * Settings, then the variables that AWS's own tools know, then the profile, which is read only if it
 * matters. Throws `S3Error` (`InvalidEndpoint`).
 */
export const findPlace = async (
  bucket: string,
  settings: S3Settings,
  env: Env = process.env,
  profileOf: (name: string) => Promise<Profile> = readProfile,
): Promise<Place> => {
  const named = settings.endpoint ?? env.AWS_ENDPOINT_URL_S3 ?? env.AWS_ENDPOINT_URL
  const region = settings.region ?? env.AWS_REGION ?? env.AWS_DEFAULT_REGION
  const profile =
    named === undefined || region === undefined
      ? await profileOf(settings.profile ?? env.AWS_PROFILE ?? 'default')
      : {}
  const endpoint = named || profile.endpoint
  return placeOf(bucket, endpoint, region || profile.region || 'us-east-1', settings.pathStyle)
}

const placeOf = (
  bucket: string,
  endpoint: string | undefined,
  region: string,
  pathStyle: boolean | undefined,
): Place => {
  const isAws = endpoint === undefined
  const url = urlOf(endpoint ?? `https://s3.${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}`)
  const isInPath = pathStyle ?? (!isAws || bucket.includes('.'))
  const hostname = isInPath ? url.hostname : `${bucket}.${url.hostname}`
  return {
    origin: `${url.protocol}//${hostname}${url.port && `:${url.port}`}`,
    hostname,
    ...(url.port && { port: Number(url.port) }),
    protocol: url.protocol,
    base: `${url.pathname.replace(/\/+$/, '')}${isInPath ? `/${escapePath(bucket)}` : ''}`,
    region,
    isAws,
  }
}

const urlOf = (endpoint: string): URL => {
  const url = URL.parse(endpoint)
  if (url && /^https?:$/.test(url.protocol) && !url.username && !url.password) return url
  const message = `the endpoint ${JSON.stringify(endpoint.replace(/\/\/.*@/, '//'))} of S3 is no address; give http(s)://host[:port]`
  throw new S3Error({ status: 0, code: 'InvalidEndpoint', message, isTransient: false })
}

/** The same bucket in the region that a server named. */
export const inRegion = (place: Place, bucket: string, region: string, pathStyle?: boolean): Place =>
  place.isAws ? placeOf(bucket, undefined, region, pathStyle) : { ...place, region }

interface Profile {
  readonly region?: string
  readonly endpoint?: string
}

const readProfile = async (name: string): Promise<Profile> => {
  const { loadSharedConfigFiles } = await import('@smithy/core/config')
  const { configFile, credentialsFile } = await loadSharedConfigFiles()
  const { region, endpoint_url: endpoint } = { ...credentialsFile[name], ...configFile[name] }
  return { ...(region && { region }), ...(endpoint && { endpoint }) }
}

/** A part of an address as S3 signs it: all but `A-Z a-z 0-9 - _ . ~` is escaped. Throws `URIError` on lone surrogates. */
export const escapePart = (text: string): string =>
  encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )

/** The same, with slashes as they are. */
export const escapePath = (key: string): string => escapePart(key).replaceAll('%2F', '/')

/** For people: as tools write it, with everything unprintable escaped. */
export const addressOf = (bucket: string, key = ''): string => `s3://${bucket}/${escapeText(key)}`
