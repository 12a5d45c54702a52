import type { RestoreTier } from '../../src/ports/bucket-restorer.ts'
import { drain } from './answer.ts'
import { S3Error } from './errors.ts'
import type { Send } from './sender.ts'

export interface RestoreOptions {
  /** For how long the restored copy is kept. Absent for objects of INTELLIGENT_TIERING, which S3 takes no days for. */
  readonly days?: number | undefined
  readonly tier: RestoreTier
  readonly signal?: AbortSignal | undefined
}

/**
 * - `begun`: the server accepted it (202).
 * - `restored`: the object is restored already, and is now kept for these days (200).
 * - `under-way`: an earlier restoration goes on (409).
 */
type RestoreOutcome = 'begun' | 'restored' | 'under-way'

/**
 * Asks for the restoration of an archived object. Throws `S3Error`: 403 `InvalidObjectState` where it is not archived, 501
 * where the server restores nothing, 503 `GlacierExpeditedRetrievalNotAvailable`.
 */
export const restoreObject = async (
  send: Send,
  key: string,
  { days, tier, signal }: RestoreOptions,
): Promise<RestoreOutcome> => {
  const body = Buffer.from(
    '<RestoreRequest xmlns="http://s3.amazonaws.com/doc/2006-03-01/">' +
      `${days === undefined ? '' : `<Days>${days}</Days>`}` +
      `<GlacierJobParameters><Tier>${tier}</Tier></GlacierJobParameters></RestoreRequest>`,
  )
  const headers = { 'content-type': 'application/xml' }
  try {
    const { status } = await send(
      { method: 'POST', key, query: { restore: '' }, headers, body, signal },
      drain,
    )
    return status === 202 ? 'begun' : 'restored'
  } catch (error) {
    if (error instanceof S3Error && error.code === 'RestoreAlreadyInProgress') return 'under-way'
    throw error
  }
}
