import { fromBase64 } from '@fonds/tlog/web'

/** Why nothing is verified in this browser; undefined where it can be. */
export const whyNotHere = async (): Promise<string | undefined> => {
  // Absent where a page is not secure, whatever its types say.
  const { subtle } = globalThis.crypto ?? {}
  if (subtle === undefined)
    return 'This page did not come over HTTPS, nor from this machine: browsers compute no hashes for it.'
  try {
    // The public key of RFC 8032, section 7.1, test 1.
    const key = fromBase64('11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=')!
    await subtle.importKey('raw', key, { name: 'Ed25519' }, false, ['verify'])
    return undefined
  } catch {
    return 'This browser does not verify signatures by Ed25519: a newer one does.'
  }
}

/** The key of a person: a verifier key, or the first Ed25519 one of a policy. Undefined for any other text. */
export const keyIn = (text: string): string | undefined =>
  text
    .split('\n')
    .map(
      (line) =>
        line
          .trim()
          .replace(/^log\s+/, '')
          .split(/\s/)[0] ?? '',
    )
    // Its type stands first in base64: a byte that is 1.
    .find((word) => /^[^\s+]+\+[0-9a-fA-F]{8}\+A[Q-Za-f]/.test(word))
