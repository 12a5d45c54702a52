import {
  type Checkpoint,
  isSignedBy,
  type Note,
  type PublicKey,
  parsePolicy,
  parseVerifierKey,
} from '@fonds/tlog/web'
import type { Step } from './step.ts'

/** Keys of a log, as a server gives them, and the key that a person gave in their place. */
export interface Believed {
  readonly keys: readonly string[]
  /** Names keys that were replaced, too: they are believed of the heads before that. */
  readonly policy: string
  readonly trusted: string | undefined
}

/**
 * Checks that a head is signed by a key that is believed, by Ed25519. Rejects with `InvalidNote` for a policy or a key that is none,
 * `NotSupportedError` where the browser lacks what it takes.
 */
export const signatureStep = async (
  name: string,
  note: Note,
  { origin, size }: Pick<Checkpoint, 'origin' | 'size'>,
  { keys, policy, trusted }: Believed,
): Promise<Step> => {
  const retired = parsePolicy(policy).retired ?? []
  const texts =
    trusted === undefined
      ? [...keys, ...retired.filter(({ until }) => size <= until).map(({ key }) => key)]
      : [trusted]
  const usable = (await Promise.all(texts.map(parseVerifierKey))).filter(
    (key) => key.name === origin && key.type === 'ed25519',
  )
  const [good, wrong]: [PublicKey[], PublicKey[]] = [[], []]
  for (const key of usable) {
    const isGood = await isSignedBy(key, note)
    if (isGood !== undefined) (isGood ? good : wrong).push(key)
  }
  const [key] = [...wrong, ...good, ...usable]
  return {
    name,
    isPassed: good.length > 0 && wrong.length === 0,
    computed:
      wrong.length > 0 ? 'Ed25519, wrong' : good.length > 0 ? 'Ed25519, good' : 'no signature by this key',
    kept: key ? `${key.name}+${key.keyId}` : `no Ed25519 key of ${origin}`,
    from: trusted === undefined ? 'a key that this server gave' : 'the key that you gave',
  }
}
