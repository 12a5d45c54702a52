import { parseHosts } from '@fonds/download'
import type { AllowedHosts } from '@fonds/download/http'

/** The hosts that `http:` and `https:` addresses may lead to; absent: any. A setting that names none allows none. */
export const allowedHosts = ({
  mediaHosts,
}: {
  readonly mediaHosts?: string
}): { readonly hosts?: readonly string[] } =>
  mediaHosts === undefined ? {} : { hosts: parseHosts(mediaHosts) ?? [] }

/** With what is said where a host is not one of them. */
export const askedForMedia = (hosts: readonly string[] | undefined, isForeign: boolean): AllowedHosts => ({
  hosts,
  isForeign,
  content: 'media',
  setting: 'FONDS_MEDIA_HOSTS',
})
