import { parseHosts } from '@fonds/download'
import type { AllowedHosts } from '@fonds/download/http'

/** Returns the hosts that `http:` and `https:` URLs may lead to; absent: any. An empty setting allows none. */
export const allowedHosts = ({
  mediaHosts,
}: {
  readonly mediaHosts?: string
}): { readonly hosts?: readonly string[] } =>
  mediaHosts === undefined ? {} : { hosts: parseHosts(mediaHosts) ?? [] }

/** Adds the words of the error for a host that is not one of them. */
export const askedForMedia = (hosts: readonly string[] | undefined, isForeign: boolean): AllowedHosts => ({
  hosts,
  isForeign,
  content: 'media',
  setting: 'FONDS_MEDIA_HOSTS',
})
