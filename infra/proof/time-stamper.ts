import { readFile } from 'node:fs/promises'
import { errorMessage, InvalidSetting } from '../../src/async/errors.ts'
import { UnavailableError } from '../../src/async/unavailable.ts'
import type { TimeStamper } from '../../src/ports/time-stamp.ts'
import { fetched } from './fetched.ts'
import { InvalidTimeStamp, stampIn, stampRequest } from './time-stamp.ts'

/** A token with its certificates has a few kB. */
const mostBytes = 64 * 1024

interface TimeStamperOptions {
  readonly url: string
  /** Certificates in PEM that are trusted. */
  readonly roots: readonly string[]
}

/** An authority that answers requests over HTTP (RFC 3161, section 3.4). */
export const createTimeStamper = ({ url, roots }: TimeStamperOptions): TimeStamper => ({
  stamp: async (bytes, signal) => {
    const request = await stampRequest(bytes)
    const post = { body: request.der, contentType: 'application/timestamp-query' }
    const whom = 'the time-stamping authority'
    const { status, body } = await fetched({ url, whom, signal, mostBytes, post })
    if (status !== 200) throw new UnavailableError(`${whom} answers ${status}`)
    try {
      return await stampIn(body, bytes, request, roots)
    } catch (error) {
      if (!(error instanceof InvalidTimeStamp)) throw error
      throw new UnavailableError(`the answer of ${whom} ${error.message}`, { cause: error })
    }
  },
})

/** Certificates of a PEM file. Throws `InvalidSetting` for a file without any. */
export const rootsIn = async (file: string | undefined): Promise<readonly string[]> => {
  if (file === undefined) return []
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new InvalidSetting(`proofStampRoots: ${file} cannot be read: ${errorMessage(error)}`)
  })
  const found = text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g)
  if (found) return found
  throw new InvalidSetting(`proofStampRoots: ${file} holds no certificate in PEM`)
}
