import { UnavailableError } from '../../src/async/unavailable.ts'
import type { GetProofFile } from '../../src/ports/proof-files.ts'
import { fetched } from './fetched.ts'

/** 256 entries of the largest size, each with its length. */
const mostBytes = 256 * (2 + 65_535)

/** Files of a log below an address, over HTTP. */
export const proofFilesAt =
  (address: string): GetProofFile =>
  async (path, signal) => {
    const url = `${address.replace(/\/$/, '')}/${path}`
    const { status, body } = await fetched({ url, whom: 'the log', signal, mostBytes })
    if (status === 404) return undefined
    if (status === 200) return body
    throw new UnavailableError(`the log answers ${status} to ${path}`)
  }
