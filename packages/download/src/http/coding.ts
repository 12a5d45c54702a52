import { pipeline } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from 'node:zlib'
import { PermanentFailure } from '../failures.ts'
import type { HttpResponse } from '../http-client.ts'

/*
 * Content codings (RFC 9110, §8.4). A download asks for none. Some servers name one all the same: because the file is
 * packed so itself (`a.warc.gz`), or because they pack whatever they send.
 */

/** The coding that the headers name; undefined for none. */
export const codingOf = (headers: Headers): string | undefined => {
  const named = (headers.get('content-encoding') ?? '')
    .toLowerCase()
    .split(',')
    .map((one) => one.trim().replace(/^x-/, ''))
    .filter((one) => one !== '' && one !== 'identity')
  return named.length === 0 ? undefined : named.join(', ')
}

const endings: Readonly<Record<string, RegExp>> = {
  gzip: /\.(gz|gzip|tgz|svgz)$/i,
  br: /\.br$/i,
  zstd: /\.(zst|zstd|tzst)$/i,
  compress: /\.Z$/,
}

const types: Readonly<Record<string, RegExp>> = {
  gzip: /^application\/(x-)?(gzip|gzip-compressed|gunzip|tgz|gtar-compressed)\b/i,
  zstd: /^application\/(x-)?zstd\b/i,
  compress: /^application\/x-compress\b/i,
}

/** True if a file of one of these names, or of the type that the headers name, is packed so itself. */
export const isOwnCoding = (coding: string, headers: Headers, names: readonly string[]): boolean =>
  names.some((name) => endings[coding]?.test(name)) ||
  types[coding]?.test(headers.get('content-type') ?? '') === true

/** The last part of the path of an address. */
export const nameIn = (address: string): string => new URL(address).pathname

const decoders = {
  gzip: () => createGunzip(),
  deflate: () => createInflate(),
  br: () => createBrotliDecompress(),
  zstd: () => createZstdDecompress(),
}

const magic: Readonly<Record<string, Buffer>> = {
  gzip: Buffer.from([0x1f, 0x8b]),
  zstd: Buffer.from([0x28, 0xb5, 0x2f, 0xfd]),
}

/** False if bytes that begin so cannot be in the coding: the label is wrong. */
export const mayBeCoded = (coding: string, beginning: Buffer): boolean => {
  const mark = magic[coding]
  return mark === undefined || beginning.subarray(0, mark.length).equals(mark)
}

/** The bytes with their coding undone. Throws `PermanentFailure`. */
export async function* decoded(bytes: AsyncIterable<Uint8Array>, coding: string): AsyncGenerator<Uint8Array> {
  if (!(coding in decoders)) throw new PermanentFailure(`is sent in the coding ${coding}; ${asItIs}`)
  const decoder = decoders[coding as keyof typeof decoders]()
  try {
    yield* pipeline(bytes, decoder, () => {})
  } catch (error) {
    const code = String((error as NodeJS.ErrnoException).code)
    if (!/^(Z_|ZSTD_|ERR_(_?BROTLI|_?ZSTD|PADDING))/.test(code)) throw error
    throw new PermanentFailure(
      `is sent in the coding ${coding}, and cannot be unpacked: ${(error as Error).message}; ${asItIs}`,
      {
        cause: error,
      },
    )
  }
}

const asItIs = 'have the server send it as it is, without Content-Encoding'

/** The body of an answer, with the coding undone that its server names. Throws `PermanentFailure`. */
export const undone = ({
  headers,
  body,
}: Pick<HttpResponse, 'headers' | 'body'>): AsyncIterable<Uint8Array> => {
  const coding = codingOf(headers)
  return coding === undefined ? body : decoded(body, coding)
}
