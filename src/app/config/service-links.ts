/*
 * Kubernetes passes every container the Services beside it, in variables named after them: a Service `fonds` gives
 * FONDS_PORT=tcp://10.0.0.1:80 to all pods of its namespace, unless they set `enableServiceLinks: false`.
 */

const address = /^(tcp|udp|sctp):\/\//
const named = /^FONDS_(\w+_)?(SERVICE_HOST|SERVICE_PORT(_\w+)?|PORT_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?)$/

/** True if Kubernetes set this variable. */
export const isServiceLink = (name: string, value: string | undefined): boolean =>
  named.test(name) || (/^FONDS_(\w+_)?PORT$/.test(name) && address.test(value ?? ''))

/** Returns why a setting cannot be Kubernetes' value of its variable; undefined if Kubernetes did not set it. */
export const whyServiceLink = (name: string, value: string | undefined): string | undefined =>
  isServiceLink(name, value)
    ? `${name}: ${value} comes from Kubernetes, for a Service with that name, and is no setting; put enableServiceLinks: false into the pod's spec, or set ${name} in it`
    : undefined
