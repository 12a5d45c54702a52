import { S3Error } from './errors.ts'

export interface Credentials {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly sessionToken?: string
  readonly expiration?: Date
}

export interface CredentialSource {
  /** The current ones; those that expire are renewed in time. Throws `S3Error` (`NoCredentials`). */
  get(): Promise<Credentials>
  /**
   * Asks anew: the server calls these expired, or may mean that by what it refuses. Callers at one time share one
   * request; none is made within a minute of the last.
   */
  renew(): Promise<void>
}

const minRenewalMillis = 60_000

type Chain = (options?: { readonly forceRefresh?: boolean }) => Promise<Credentials>

/**
 * The usual chain: environment, single sign-on, profile, program, web identity, container, instance. Its code is loaded
 * when credentials are first asked for. A service that cannot be reached is asked again by the next call.
 */
export const credentialChain = (
  profile: string | undefined,
  load: (profile: string | undefined) => Promise<Chain> = loadChain,
  now: () => number = () => performance.now(),
): CredentialSource => {
  let renewedAt = Number.NEGATIVE_INFINITY
  let chain: Promise<Chain> | undefined
  const ask: Chain = async (options) => {
    try {
      chain ??= load(profile)
      return await (await chain)(options)
    } catch (error) {
      throw noCredentials(profile, error)
    }
  }
  return {
    get: () => ask(),
    renew: async () => {
      if (now() - renewedAt < minRenewalMillis) return
      await ask({ forceRefresh: true })
      renewedAt = now()
    },
  }
}

const loadChain = async (profile: string | undefined): Promise<Chain> => {
  const { defaultProvider } = await import('@aws-sdk/credential-provider-node')
  return defaultProvider(profile === undefined ? {} : { profile })
}

const noCredentials = (profile: string | undefined, error: unknown): S3Error =>
  new S3Error(
    {
      status: 0,
      code: 'NoCredentials',
      message:
        `there are no credentials for S3${profile === undefined ? '' : ` in profile ${profile}`} ` +
        `(${(error as Error).message}); set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, a profile, ` +
        'or give the machine a role',
      isTransient: false,
    },
    error,
  )
