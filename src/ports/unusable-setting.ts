/**
 * A setting means something that cannot be had: a file that is not there, a plug-in that is missing, an address that
 * makes no sense. Thrown while things are opened; the message names the setting and says what to do.
 */
export class UnusableSetting extends Error {
  override readonly name = 'UnusableSetting'
}
