/** A note, checkpoint, proof, key or policy that is not of its form. The message is a sentence without a subject's name. */
export class InvalidNote extends Error {
  override readonly name = 'InvalidNote'
}

/** A well-formed note that no known key signed, or whose signature by a known key is wrong. */
export class UntrustedNote extends Error {
  override readonly name = 'UntrustedNote'
}
