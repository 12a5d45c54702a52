import type { HttpResponse } from '@fonds/download'
import { PermanentFailure } from '@fonds/download'
import { failUnlessStatus, rangeOf, validatorsOf } from '@fonds/download/http'
import { type AudioKind, sniff } from '@fonds/sound/sniff'
import { recentCache } from '@fonds/toolbox'

/** The content at an address is not sound. The message continues "is". */
export class NoSound extends Error {
  override readonly name = 'NoSound'
}

type Get = (headers: Readonly<Record<string, string>>) => Promise<HttpResponse>

/** A player requests many ranges of one recording. */
const known = recentCache<AudioKind>(1000)

/**
 * Detects the kind of sound at the address from its first bytes, whatever the server calls it. They are requested once
 * per pair of validators: for another recording the server would send another validator. Throws `NoSound`, and what
 * `get` throws.
 */
export const soundAt = async (uri: string, answer: HttpResponse, get: Get): Promise<AudioKind> => {
  const { etag, lastModified } = validatorsOf(answer)
  const key =
    etag === undefined && lastModified === undefined ? undefined : JSON.stringify([uri, etag, lastModified])
  const before = key === undefined ? undefined : known.get(key)
  if (before) return before
  const sniffed = await sniff((length, position) => bytesFrom(get, length, position))
  if ('instead' in sniffed) throw new NoSound(sniffed.instead)
  if (key !== undefined) known.set(key, sniffed.kind)
  return sniffed.kind
}

/** A tag before the sound is skipped, but not by reading all of it if the server supports no ranges. */
const maxPassedOver = 1024 * 1024

const bytesFrom = async (get: Get, length: number, position: number): Promise<Buffer> => {
  await using answer = await get({ range: `bytes=${position}-${position + length - 1}` })
  if (answer.status === 416) return Buffer.alloc(0)
  failUnlessStatus(answer, [200, 206], 'sound')
  const start = answer.status === 206 ? (rangeOf(answer)?.start ?? position) : 0
  if (start > position || position - start > maxPassedOver)
    throw new PermanentFailure(
      'begins with a large tag, and its server gives no ranges; offer it where ranges are given',
    )
  const chunks: Uint8Array[] = []
  let bytes = 0
  const wanted = position - start + length
  for await (const chunk of answer.body) {
    chunks.push(chunk)
    bytes += chunk.length
    if (bytes >= wanted) break
  }
  return Buffer.concat(chunks).subarray(position - start, wanted)
}
