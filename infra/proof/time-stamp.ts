import { createHash, randomBytes } from 'node:crypto'
import type { Certificate, SignedData, TSTInfo } from 'pkijs'
import type { TimeStamp } from '../../src/ports/time-stamp.ts'

/* Time stamps by RFC 3161, read and checked by PKI.js, which is loaded when one is wanted. */

/** The answer of an authority, or a stored token, is no stamp of these bytes. The message is a sentence about it. */
export class InvalidTimeStamp extends Error {
  override readonly name = 'InvalidTimeStamp'
}

const sha256 = '2.16.840.1.101.3.4.2.1'
const timeStamping = '1.3.6.1.5.5.7.3.8'
const tstInfo = '1.2.840.113549.1.9.16.1.4'
const commonName = '2.5.4.3'

export interface StampRequest {
  /** DER, as `application/timestamp-query` takes it. */
  readonly der: Uint8Array
  readonly nonce: Uint8Array
}

/** The authority learns the digest alone, and is asked for its certificates: who checks in thirty years finds them nowhere else. */
export const stampRequest = async (bytes: Uint8Array): Promise<StampRequest> => {
  const { AlgorithmIdentifier, MessageImprint, TimeStampReq } = await import('pkijs')
  const { Integer, OctetString } = await import('asn1js')
  // A positive number of eight bytes.
  const nonce = randomBytes(8)
  nonce[0] = (nonce[0]! & 0x3f) | 0x40
  const request = new TimeStampReq({
    version: 1,
    messageImprint: new MessageImprint({
      hashAlgorithm: new AlgorithmIdentifier({ algorithmId: sha256 }),
      hashedMessage: new OctetString({ valueHex: exact(digestOf(bytes)) }),
    }),
    nonce: new Integer({ valueHex: exact(nonce) }),
    certReq: true,
  })
  return { der: new Uint8Array(request.toSchema().toBER()), nonce }
}

/** Reads the answer to a request. Throws `InvalidTimeStamp`. */
export const stampIn = async (
  answer: Uint8Array,
  bytes: Uint8Array,
  { nonce }: Pick<StampRequest, 'nonce'>,
  roots: readonly string[],
): Promise<TimeStamp> => {
  const { TimeStampResp } = await import('pkijs')
  const response = parsed(() => TimeStampResp.fromBER(exact(answer)))
  const { status, statusStrings = [] } = response.status
  // Granted, or granted with modifications: of what was asked only the certificates may differ.
  if (status > 1 || !response.timeStampToken)
    throw new InvalidTimeStamp(
      `refuses: status ${status} ${statusStrings.map(({ valueBlock }) => valueBlock.value).join(', ')}`.trim(),
    )
  const token = new Uint8Array(response.timeStampToken.toSchema().toBER())
  return checkStamp(token, bytes, roots, nonce)
}

/** Checks a token against the bytes that it is of. `roots`: certificates in PEM. Throws `InvalidTimeStamp`. */
export const checkStamp = async (
  token: Uint8Array,
  bytes: Uint8Array,
  roots: readonly string[],
  nonce?: Uint8Array,
): Promise<TimeStamp> => {
  const { Certificate, ContentInfo, SignedData, TSTInfo } = await import('pkijs')
  const { signed, info } = parsed(() => {
    const data = new SignedData({ schema: ContentInfo.fromBER(exact(token)).content })
    return { signed: data, info: TSTInfo.fromBER(exact(contentOf(data))) }
  })
  expectOf(info, bytes, nonce)
  const trustedCerts = roots.map((pem) => Certificate.fromBER(exact(derOf(pem))))
  const check = async (checkChain: boolean) => {
    try {
      return await signed.verify({
        signer: 0,
        data: exact(bytes),
        trustedCerts,
        checkChain,
        checkDate: info.genTime,
        extendedMode: true,
      })
    } catch (error) {
      return error as Awaited<ReturnType<typeof signed.verify>> & Error
    }
  }
  const own = await check(false)
  const certificate = own.signerCertificate
  if (own.signatureVerified !== true || !certificate)
    throw new InvalidTimeStamp('is not signed by the certificate that it names')
  if (!isForTimeStamps(certificate))
    throw new InvalidTimeStamp('is signed by a certificate that is not for time stamps')
  const chain = trustedCerts.length > 0 ? await check(true) : undefined
  return {
    token,
    at: `${info.genTime.toISOString().slice(0, 19)}Z`,
    authority: nameIn(certificate),
    isTrusted: chain?.signerCertificateVerified === true,
  }
}

const expectOf = (info: TSTInfo, bytes: Uint8Array, nonce: Uint8Array | undefined): void => {
  const { hashAlgorithm, hashedMessage } = info.messageImprint
  if (hashAlgorithm.algorithmId !== sha256 || !isSame(hashedMessage.valueBlock.valueHexView, digestOf(bytes)))
    throw new InvalidTimeStamp('is of other bytes')
  if (nonce && !isSame(info.nonce?.valueBlock.valueHexView ?? new Uint8Array(), nonce))
    throw new InvalidTimeStamp('is the answer to another request')
}

/** RFC 3161, section 2.3: the key must be for this alone. */
const isForTimeStamps = ({ extensions = [] }: Certificate): boolean =>
  extensions.some(({ extnID, critical, parsedValue }) => {
    const { keyPurposes } = (parsedValue ?? {}) as { readonly keyPurposes?: readonly string[] }
    return extnID === '2.5.29.37' && critical && keyPurposes?.length === 1 && keyPurposes[0] === timeStamping
  })

const nameIn = ({ subject }: Certificate): string => {
  const { typesAndValues } = subject
  const named = typesAndValues.find(({ type }) => type === commonName) ?? typesAndValues.at(-1)
  return String(named?.value.valueBlock.value ?? 'an authority without a name')
}

const contentOf = ({ encapContentInfo }: SignedData): Uint8Array => {
  const { eContentType, eContent } = encapContentInfo
  if (eContentType !== tstInfo || !eContent) throw new InvalidTimeStamp('is a signature of something else')
  return new Uint8Array(eContent.getValue())
}

const parsed = <A>(read: () => A): A => {
  try {
    return read()
  } catch (error) {
    if (error instanceof InvalidTimeStamp) throw error
    throw new InvalidTimeStamp('is no time stamp of RFC 3161')
  }
}

const digestOf = (bytes: Uint8Array): Uint8Array => createHash('sha256').update(bytes).digest()
const isSame = (one: Uint8Array, other: Uint8Array): boolean => Buffer.compare(one, other) === 0
const derOf = (pem: string): Uint8Array => Buffer.from(pem.replaceAll(/-----[^-]+-----|\s/g, ''), 'base64')

/** PKI.js reads the whole buffer behind a view. */
const exact = (bytes: Uint8Array): ArrayBuffer => Uint8Array.from(bytes).buffer
