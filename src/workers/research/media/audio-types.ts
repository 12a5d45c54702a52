import type { AudioKind } from '@fonds/sound'

/** Media types of the audio that can be searched. */
export const audioTypes: Readonly<Record<AudioKind, string>> = {
  mp3: 'audio/mpeg',
  wav: 'audio/wav',
  flac: 'audio/flac',
  ogg: 'audio/ogg',
}
